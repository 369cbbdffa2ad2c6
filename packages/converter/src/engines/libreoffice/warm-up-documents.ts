import { fileURLToPath } from 'node:url'
import type { FormatName } from '../../catalog/pairs.ts'
import { dialectOf } from './csv-dialect.ts'
import { type Plan, planFor } from './plan.ts'

// Warm-up documents that a fork server converts before its first document, so that children need not load the same code
// again.

export const warmUpFolder = fileURLToPath(
  new URL('../../../native/office/warm-up-documents/', import.meta.url),
)

const files: readonly (readonly [name: string, from: FormatName])[] = [
  ['text.docx', 'docx'],
  ['sheet.xlsx', 'xlsx'],
  ['slides.pptx', 'pptx'],
  ['text.odt', 'odt'],
  ['text.doc', 'doc'],
  ['text.rtf', 'rtf'],
  ['text.txt', 'txt'],
  ['sheet.ods', 'ods'],
  ['sheet.xls', 'xls'],
  ['sheet.csv', 'csv'],
  ['slides.odp', 'odp'],
  ['drawing.odg', 'odg'],
]

export interface WarmUpDocument {
  name: string
  plan: Plan
}

export const warmUpDocuments: readonly WarmUpDocument[] = files.map(([name, from]) => ({
  name,
  plan: planFor(from, 'pdf', from === 'csv' ? { csv: dialectOf('a,b\n1,2\n') } : {}),
}))

/** One of each kind, converted by the first children before any user's document, as a test of the whole path. */
export const firstDocuments = warmUpDocuments.slice(0, 3)

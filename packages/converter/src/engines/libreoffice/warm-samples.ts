import { fileURLToPath } from 'node:url'
import type { FormatName } from '../../catalog/pairs.ts'
import { dialectOf } from './csv-dialect.ts'
import { type Plan, planFor } from './plan.ts'

// What a fork server converts before its first document, so that no child has to load it again.

export const samplesFolder = fileURLToPath(new URL('../../../native/office/samples/', import.meta.url))

const samples: readonly (readonly [name: string, from: FormatName])[] = [
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

export interface Sample {
  name: string
  plan: Plan
}

export const warmUpSamples: readonly Sample[] = samples.map(([name, from]) => ({
  name,
  plan: planFor(from, 'pdf', from === 'csv' ? { csv: dialectOf('a,b\n1,2\n') } : {}),
}))

/**
 * Converted by the first children before any user's document: does the whole way work? One of each kind, because what
 * memory they take in common every later document takes too.
 */
export const rehearsed = warmUpSamples.slice(0, 3)

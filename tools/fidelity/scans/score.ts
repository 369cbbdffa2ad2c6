import { countCommon } from '../../evidence/count-common.ts'
import type { ScanLanguage } from './documents.ts'

// Recall and precision of the words, or characters, of the output. Their order depends on the layout and is scored
// elsewhere.

export interface Match {
  truth: number
  found: number
  common: number
}

function unitsOf(text: string, unit: ScanLanguage['unit']): string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
  if (unit === 'characters') return plain.match(/[\p{L}\p{N}]/gu) ?? []
  return plain
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu, ''))
    .filter(Boolean)
}

/** The last paragraph of the output, which is not part of the page. */
export const notice = /The text of \S+ pages? was recognised from pictures and may hold errors\.\s*$/

export function match(truth: string, output: string, unit: ScanLanguage['unit']): Match {
  const wanted = unitsOf(truth, unit)
  const found = unitsOf(output.replace(notice, ''), unit)
  return { truth: wanted.length, found: found.length, common: countCommon(wanted, found) }
}

export const f1 = ({ truth, found, common }: Match): number =>
  truth + found === 0 ? 1 : (2 * common) / (truth + found)

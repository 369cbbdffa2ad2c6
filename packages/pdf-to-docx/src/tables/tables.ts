import type { Piece } from '../lines/line.ts'
import type { Page, Picture, Rule } from '../read/page.ts'
import type { FoundTable } from './table.ts'

export interface TableInput {
  page: Page
  pieces: readonly Piece[]
  turned: readonly Piece[]
  rules: readonly Rule[]
}

export interface TableOutput {
  tables: FoundTable[]
  /** What lies in no table. */
  pieces: Piece[]
  pictures: Picture[]
  rules: Rule[]
}

export function findTables(input: TableInput): TableOutput {
  return { tables: [], pieces: [...input.pieces, ...input.turned], pictures: input.page.pictures, rules: [...input.rules] }
}

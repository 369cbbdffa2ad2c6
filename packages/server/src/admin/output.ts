import { at } from '../at.ts'

// Output of the command line: a table for people, JSON for programs.

export function formatTable(rows: readonly object[]): string {
  const [first] = rows
  if (!first) return '(none)\n'
  const columns = Object.keys(first)
  const cells = [columns, ...rows.map((row) => columns.map((column) => formatCell(Reflect.get(row, column))))]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => at(line, index).length)))
  return `${cells
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(at(widths, index)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`
}

const formatCell = (value: unknown): string => {
  if (value === null || value === undefined) return '-'
  return value instanceof Date ? value.toISOString() : String(value)
}

export interface Printer {
  rows(name: string, rows: readonly object[]): void
  one(value: object, sentence: string): void
}

export function createPrinter(json: boolean, write: (text: string) => void): Printer {
  return {
    rows: (name, rows) => write(json ? `${JSON.stringify({ [name]: rows }, null, 2)}\n` : formatTable(rows)),
    one: (value, sentence) => write(json ? `${JSON.stringify(value, null, 2)}\n` : `${sentence}\n`),
  }
}

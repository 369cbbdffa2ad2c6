// What the command line prints: a table for people, JSON for programs.

export type Row = Readonly<Record<string, unknown>>

export function formatTable(rows: readonly Row[]): string {
  if (rows.length === 0) return '(none)\n'
  const columns = Object.keys(rows[0] as Row)
  const cells = [columns, ...rows.map((row) => columns.map((column) => formatCell(row[column])))]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => (line[index] as string).length)))
  return `${cells
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] as number))
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
  rows(name: string, rows: readonly Row[]): void
  one(value: Row, sentence: string): void
}

export function createPrinter(json: boolean, write: (text: string) => void): Printer {
  return {
    rows: (name, rows) => write(json ? `${JSON.stringify({ [name]: rows }, null, 2)}\n` : formatTable(rows)),
    one: (value, sentence) => write(json ? `${JSON.stringify(value, null, 2)}\n` : `${sentence}\n`),
  }
}

import type { Command } from 'commander'
import { at } from '../at.ts'

// Output of the command line: a table or sentences for people, JSON for programs.

export function formatTable(rows: readonly object[]): string {
  const [first] = rows
  if (!first) return '(none)\n'
  const columns = Object.keys(first)
  const cells = [columns, ...rows.map((row) => columns.map((column) => formatCell(Reflect.get(row, column))))]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => at(line, index).length)))
  const lines = cells.map((line) => line.map((cell, index) => cell.padEnd(at(widths, index))).join('  '))
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

const formatCell = (value: unknown): string => {
  if (value === null || value === undefined) return '-'
  return value instanceof Date ? value.toISOString() : String(value)
}

export interface Answer {
  json: object
  text: string
}

export const rows = (name: string, found: readonly object[]): Answer => ({
  json: { [name]: found },
  text: formatTable(found),
})

export const one = (json: object, sentence: string): Answer => ({ json, text: `${sentence}\n` })

type Input = Parameters<Parameters<Command['action']>[0]>

/** Sets the action of a command, whose answer is printed. */
export type Answering = (command: Command, run: (...input: Input) => Promise<Answer>) => void

export const answeringWith =
  (write: (text: string) => void): Answering =>
  (command, run) => {
    command.option('--json', 'print JSON').action(async (...input) => {
      const { json, text } = await run(...input)
      write(command.opts().json ? `${JSON.stringify(json, null, 2)}\n` : text)
    })
  }

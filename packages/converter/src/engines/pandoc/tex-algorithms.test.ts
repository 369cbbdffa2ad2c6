import { expect, test } from 'vitest'
import { definitionsFor, readableTex } from './readable-tex.ts'

const algorithm = (body: string) => `\\begin{algorithm}${body}\\end{algorithm}`

test('blocks that end with a command of their own are indented', () => {
  const definitions = definitionsFor([algorithm('\\If{$x$}\\State a\\Else\\State b\\EndIf')])
  expect(definitions).toContain('\\newcommand{\\If}[1]{\\par\\textbf{if} #1 \\textbf{then}\\begin{quote}}')
  expect(definitions).toContain('\\newcommand{\\EndIf}{\\end{quote}\\textbf{end if}\\par }')
  expect(definitions).not.toContain('\\While')
})

test('a block without an end is not indented', () => {
  const definitions = definitionsFor([algorithm('\\If{$x$}\\State a')])
  expect(definitions).toContain('\\newcommand{\\If}[1]{\\par\\textbf{if} #1 \\textbf{then}\\par }')
  expect(definitions).not.toContain('quote')
})

test('blocks of algorithm2e are arguments, and its statements lines', () => {
  const latex = `\\usepackage[ruled]{algorithm2e}${algorithm('\\While{$a\\;b$}{\nx\\;\ny\\;}')}`
  expect(definitionsFor([latex])).toContain('\\newcommand{\\While}[2]{')
  expect(readableTex(latex)).toContain('\\While{$a\\;b$}{\nx\\par \ny\\par }')
})

test('commands of other documents are left alone', () => {
  expect(definitionsFor(['\\State and \\If'])).toBe('')
  expect(definitionsFor([`\\newcommand{\\State}{x}${algorithm('\\State')}`])).toBe('')
})

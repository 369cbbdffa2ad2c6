import { expect, test } from 'vitest'
import { definitionsFor, readableTex } from './readable-tex.ts'

test.each([
  ['\\input parts/one\n', '\\input{parts/one}\n'],
  ['\\input "two words"', '\\input{"two words"}'],
  ['\\begin{document}a', '\\begin{document}a\n\\end{document}\n'],
  ['\\only<2->{a} \\onslide<3> b', '{a}  b'],
])('%j becomes %j', (latex, readable) => expect(readableTex(latex)).toBe(readable))

test.each([
  '\\input{one} \\inputenc x \\renewcommand\\input[1]{x}',
  '% \\input one',
  '\\verb|\\input one| \\begin{verbatim}\\input one\\end{verbatim}',
  '\\only{a}',
])('%j stays as it is', (latex) => expect(readableTex(latex)).toBe(latex))

test('only commands that are used, and not those of the document', () => {
  expect(definitionsFor(['\\fbox{a}', '\\scalebox{2}{b}'])).toMatch(
    /\\newcommand\{\\fbox\}.*\\newcommand\{\\scalebox\}/,
  )
  expect(definitionsFor(['\\fbox{a}', '\\renewcommand*{\\fbox}[1]{x}'])).toBe('')
  expect(definitionsFor(['\\adjustbox{a}{b}\\begin{adjustbox}{a}b\\end{adjustbox}'])).toBe('')
  expect(definitionsFor(['\\def\\hl#1{x}\\hl{a}', '\\textbf{a}'])).toBe('')
})

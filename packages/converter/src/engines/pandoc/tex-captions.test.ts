import { expect, test } from 'vitest'
import { shownCaptions } from './tex-captions.ts'

const picture = '\\includegraphics{x}'
const figure = (content: string, name = 'figure') => `\\begin{${name}}${content}\\end{${name}}`

test.each([
  ['a figure with a picture', figure(`\\centering${picture}\\caption{A}`)],
  ['a table', figure('\\caption{A}\\begin{tabular}{l}x\\end{tabular}', 'table')],
  ['a long table', figure('\\caption{A}\\\\ x', 'longtable')],
  ['code', '\\begin{verbatim}\\begin{figure}\\caption{A}\\end{figure}\\end{verbatim} % \\caption{B}'],
])('pandoc shows the caption of %s', (_, latex) => expect(shownCaptions(latex)).toBe(latex))

test.each([
  ['two pictures', figure(`${picture}${picture}\\caption{A}`)],
  ['no picture', figure('\\begin{tikzpicture}x\\end{tikzpicture}\\caption[short]{A}')],
  ['an unknown environment', figure(`${picture}\\caption*{A}`, 'figure*')],
  ['a table without cells', figure(`${picture}\\caption{A}`, 'table')],
  ['no environment', `${picture}\\caption{A}`],
])('it drops that of %s', (_, latex) => {
  expect(shownCaptions(latex)).toBe(latex.replace(/\\caption\*?/, '\\kilncaption'))
})

test('of parts of a figure it shows their own', () => {
  const part = figure(`${picture}\\caption{A}`, 'subfigure')
  expect(shownCaptions(figure(`${part}${part}\\caption{B}`))).toBe(figure(`${part}${part}\\kilncaption{B}`))
})

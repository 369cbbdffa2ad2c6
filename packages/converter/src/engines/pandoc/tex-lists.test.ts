import { expect, test } from 'vitest'
import { labelledLists } from './tex-lists.ts'

const list = (name: string, items: string, options = '') => `\\begin{${name}}${options}${items}\\end{${name}}`

test.each([
  ['letters', ['(a)', '(b)'], '[(a)]'],
  ['numbers from three on', ['3.', '4.'], '[1.]\\setcounter{enumi}{2}'],
  ['bold roman numbers', ['\\textbf{i)}', '{\\bf ii)}'], '[i)]'],
  ['capitals without punctuation', ['A', 'B'], '[A.]'],
])('labels that are %s number the list', (_, [one = '', two = ''], options) => {
  for (const name of ['enumerate', 'itemize'])
    expect(labelledLists(list(name, `\\item[${one}] x \\item[${two}] y`))).toBe(
      list('enumerate', '\\item x \\item y', options),
    )
})

test('other labels are terms', () => {
  expect(labelledLists(list('enumerate', '\\item[Q1] x \\item[{[Z]}] y', '[nosep]'))).toBe(
    list('description', '\\item[Q1] x \\item[{[Z]}] y'),
  )
  expect(labelledLists(list('itemize', '\\item[\u00c3\u00a9] x'))).toBe(
    list('description', '\\item[\u00c3\u00a9] x'),
  )
})

test('a label among items without one begins the text', () =>
  expect(labelledLists(list('itemize', '\\item x \\item<2>[Q1] y'))).toBe(
    list('itemize', '\\item x \\item<2>{} Q1  y'),
  ))

test.each([
  ['[label=(\\roman*)]', '[(i)]'],
  ['[nosep, label={\\textbf{\\Alph{enumi}.}}]', '[A.]'],
  ['[label=\\arabic*), start=4]', '[1)]\\setcounter{enumi}{3}'],
  ['[start=2]', '[1.]\\setcounter{enumi}{1}'],
])('%s is %s for pandoc', (options, read) =>
  expect(labelledLists(list('enumerate', '\\item x', options))).toBe(list('enumerate', '\\item x', read)),
)

test('lists within lists', () =>
  expect(labelledLists(list('itemize', `\\item[1.] x ${list('enumerate', '\\item[a)] y')}`))).toBe(
    list('enumerate', `\\item x ${list('enumerate', '\\item y', '[a)]')}`, '[1.]'),
  ))

test.each([
  list('itemize', '\\item[--] x \\item[$\\star$] y \\item[\\ding{43}] z'),
  list('enumerate', '\\item x', '[(a)]'),
  list('enumerate', '\\item x', '[label=Question \\arabic*:]'),
  list('description', '\\item[Term] x \\item y'),
  `\\begin{verbatim}${list('itemize', '\\item[a] x')}\\end{verbatim} % ${list('itemize', '\\item[a] x')}`,
  '\\begin{itemize}\\item[(a) x',
  '\\item[(a)] x \\end{itemize}',
])('%s stays as it is', (latex) => expect(labelledLists(latex)).toBe(latex))

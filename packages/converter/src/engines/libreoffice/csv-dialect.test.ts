import { expect, test } from 'vitest'
import { dialectOf } from './csv-dialect.ts'

test.each([
  ['commas', 'a,b,c\n1,2,3\n', ','],
  ['semicolons with decimal commas', 'name;price\nx;1,50\ny;2,75\n', ';'],
  ['tabs', 'a\tb\n1\t2\n', '\t'],
  ['bars', 'a|b\n1|2\n', '|'],
  ['commas inside quotes', '"a,b";"c,d"\n"e,f";"g"\n', ';'],
  ['line ends inside quotes', '"a\nb",c\n"d\ne",f\n', ','],
  ['the hint of Excel', 'sep=|\na|b;c\n', '|'],
  ['one column', 'one\ntwo\n', ','],
  ['Windows line ends', 'a;b\r\n1;2\r\n', ';'],
])('%s', (_, text, separator) => {
  expect(dialectOf(text).separator).toBe(separator)
})

test('there is room for lines that are longer than the first ones', () => {
  expect(dialectOf('a,b\n1,2,3,4\n').columns).toBeGreaterThanOrEqual(4)
})

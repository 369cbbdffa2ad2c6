import { expect, test } from 'vitest'
import { choosePair, extensionOf, formatNamed, formatOfName } from './formats.ts'

test.each([
  ['report.docx', 'docx'],
  ['a/b.c/REPORT.PDF', 'pdf'],
  ['C:\\files\\page.htm', 'html'],
  ['thesis.tex', 'latex'],
  ['film.m2ts', 'ts'],
  ['archive.tar.gz', 'gz'],
  ['README', null],
  ['.profile', null],
  ['folder.d/README', null],
  ['ends-with-a-dot.', null],
])('%s is %s', (name, format) => {
  expect(formatOfName(name)).toBe(format)
})

test('a format is found under its other spellings, and has its usual extension', () => {
  expect(formatNamed('.Markdown')).toBe('md')
  expect(extensionOf('latex')).toBe('tex')
  expect(extensionOf('docx')).toBe('docx')
  for (const name of Object.getOwnPropertyNames(Object.prototype))
    expect(formatNamed(name)).toBe(name.toLowerCase())
})

test('the pair comes from what was said, then from the names', () => {
  expect(choosePair({ pair: 'a-to-b', from: 'x' }, 'in.docx', null)).toBe('a-to-b')
  expect(choosePair({}, 'in.docx', 'out.pdf')).toBe('docx-to-pdf')
  expect(choosePair({ from: 'txt', to: 'HTM' }, 'in.docx', 'out.pdf')).toBe('txt-to-html')
  expect(() => choosePair({ to: 'pdf' }, null, null)).toThrow(/no name.*`from`/)
  expect(() => choosePair({ to: 'pdf' }, 'README', null)).toThrow(/"README" has no extension/)
  expect(() => choosePair({}, 'in.docx', null)).toThrow(/`to`/)
})

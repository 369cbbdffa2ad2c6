import { expect, test } from 'vitest'
import { withoutDelimitedDefinitions } from './tex-definitions.ts'

test.each([
  ['a \\def\\Id#1:#2 \\end{\\ignorespaces{#2}} b', 'a  b'],
  ['\\gdef\\line#1\\par{\\}#1}\\line x\\par', '\\line x\\par'],
  ['\\def\\a#1 {x}\\def\\b#1{y}\\def\\c#1 {z}', '\\def\\b#1{y}'],
])('%j becomes %j', (latex, readable) => expect(withoutDelimitedDefinitions(latex)).toBe(readable))

test.each([
  '\\def\\a #1{x}',
  '\\def\\a[#1].{x}',
  '\\def\\a#1 {x',
  '% \\def\\a#1 {x}\n\\verb|\\def\\a#1 {x}|',
  '\\begin{verbatim}\\def\\a#1 {x}\\end{verbatim}',
])('%j stays as it is', (latex) => expect(withoutDelimitedDefinitions(latex)).toBe(latex))

import { expect, test } from 'vitest'
import { readableFences } from './code-fences.ts'

test.each([
  ['```js title="app.js" {1,3}', '```js'],
  ['> - ~~~~ shell session\r', '> - ~~~~shell\r'],
  ['```{r, echo=FALSE}', '```r'],
  ['1. ```c++ // main', '1. ```c++'],
  ['``` = x', '```'],
])('%j becomes %j', (fence, readable) =>
  expect(readableFences(`${fence}\nwords in\n\`\`\`\n`)).toBe(`${readable}\nwords in\n\`\`\`\n`),
)

test.each([
  '```{.python .numberLines startFrom="10 0" #id}\ncode\n```',
  '```js\n``` not a fence\n```',
  '~~~\n```js a b\n~~~',
  '``` in `a line` ```',
  '```\n````md a b\n```\n',
])('%j stays as it is', (markdown) => expect(readableFences(markdown)).toBe(markdown))

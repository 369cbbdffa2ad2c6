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

test.each([
  ['items of attributes', `\`\`\`{${'.a'.repeat(100_000)} !`],
  ['values of attributes', `\`\`\`{${'a=b.'.repeat(100_000)} !`],
  ['one fence', '`'.repeat(1_000_000)],
  ['white space', `\`\`\`js${' '.repeat(1_000_000)}x`],
])('many characters in %s take linear time', (_, markdown) => {
  const before = process.cpuUsage()
  readableFences(markdown)
  const { user, system } = process.cpuUsage(before)
  expect(user + system).toBeLessThan(1_000_000)
})

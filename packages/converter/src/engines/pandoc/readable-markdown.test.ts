import { expect, test } from 'vitest'
import { readableMarkdown } from './readable-markdown.ts'

test.each([
  ['```js title="app.js" {1,3}', '```js'],
  ['> - ~~~~ shell session\r', '> - ~~~~shell\r'],
  ['```{r, echo=FALSE}', '```r'],
  ['1. ```c++ // main', '1. ```c++'],
  ['``` = x', '```'],
])('%j becomes %j', (fence, readable) =>
  expect(readableMarkdown(`${fence}\nwords in\n\`\`\`\n`)).toBe(`${readable}\nwords in\n\`\`\`\n`),
)

test.each([
  '```{.python .numberLines startFrom="10 0" #id}\ncode\n```',
  '```js\n``` not a fence\n```',
  '~~~\n```js a b\n~~~',
  '``` in `a line` ```',
  '```\n````md a b\n```\n',
])('%j stays as it is', (markdown) => expect(readableMarkdown(markdown)).toBe(markdown))

test.each([
  [':::note Heads up\nBody\n:::', '::: note\n\n**Heads up**\n\nBody\n:::'],
  [':::tip[A *b*]{.x}\nBody\n:::', '::: tip\n\n**A *b***\n\nBody\n:::'],
  ['::: warning\nBody\n:::', '::: warning\n\n**Warning**\n\nBody\n:::'],
  ['::: note\n\n## Own title\n:::', '::: note\n\n\n## Own title\n:::'],
  [
    '!!! warning "Mind"\n    Body\n\n    ```\n    code\n    ```\n\nBehind',
    '\n::: warning\n\n**Mind**\n\nBody\n\n```\ncode\n```\n\n\n:::\n\nBehind',
  ],
  [
    '1.  Item\n\n    ??? note\n        Body\n\n        !!! tip\n            Inner',
    '1.  Item\n\n\n    ::: note\n\n    **Note**\n\n    Body\n\n\n    ::: tip\n\n    **Tip**\n\n    Inner\n\n    :::\n\n    :::',
  ],
  ['=== "Tab"\n\n    Body', '\n::: tab\n\n**Tab**\n\n\nBody\n\n:::'],
])('the admonition %j becomes %j', (markdown, readable) => expect(readableMarkdown(markdown)).toBe(readable))

test.each([
  '::: {.note}\nBody\n:::',
  '::::: columns\n:::: column\nBody\n::::\n:::::',
  '::: Columns ::::::\nBody\n::::::::::::::::::',
  '```\n:::note Title\n!!! note\n    Body\n```',
  '!!! note\nnot indented',
  'Title\n===',
  '=== "x"\nnot indented',
])('%j has no admonition to change', (markdown) => expect(readableMarkdown(markdown)).toBe(markdown))

test.each([
  ['[TOC]\n\nText', '\nText'],
  ['[[_TOC_]]\r\nText', 'Text'],
  ['* Contents\n{:toc}\n\nText', '\nText'],
  ['# Title\n{: .no_toc }\n\nText', '# Title\n\nText'],
  ['See [toc] and {: this}', 'See [toc] and {: this}'],
  ['```\n[TOC]\n{: .x}\n```', '```\n[TOC]\n{: .x}\n```'],
])('instructions in %j leave %j', (markdown, readable) => expect(readableMarkdown(markdown)).toBe(readable))

test('front matter in TOML becomes YAML', () => {
  const toml =
    '+++\r\ntitle = "A: b"\r\ndate = 2026-05-01\ndraft = true\nauthors = ["A", "B"]\n[extra]\ntitle = "x"\n+++\nText'
  expect(readableMarkdown(toml)).toBe('---\ntitle: "A: b"\ndate: 2026-05-01\nauthor: ["A", "B"]\n---\nText')
  expect(readableMarkdown('+++\nweight = 1\n+++\nText')).toBe('\nText')
  expect(readableMarkdown('+++\nno end')).toBe('+++\nno end')
})

test.each([
  ['items of attributes', `\`\`\`{${'.a'.repeat(100_000)} !`],
  ['values of attributes', `\`\`\`{${'a=b.'.repeat(100_000)} !`],
  ['one fence', '`'.repeat(1_000_000)],
  ['a title', `:::note${' '.repeat(500_000)}x${' '.repeat(500_000)}`],
  ['the type of an admonition', `!!! note${' a'.repeat(500_000)} !\n    x`],
  [
    'nested admonitions',
    Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(4 * depth)}!!! note\n`).join(''),
  ],
  ['front matter', `+++\ntitle =${' '.repeat(1_000_000)}`],
  ['white space', `\`\`\`js${' '.repeat(1_000_000)}x`],
])('many characters in %s take linear time', (_, markdown) => {
  const before = process.cpuUsage()
  readableMarkdown(markdown)
  const { user, system } = process.cpuUsage(before)
  expect(user + system).toBeLessThan(1_000_000)
})

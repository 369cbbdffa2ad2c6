import { afterAll, beforeAll, expect, it } from 'vitest'
import { dotUri, openPandocConverter, type PandocConverter } from './support.ts'

// HTML within Markdown, on its way to formats that do not hold HTML.

let kiln: PandocConverter
beforeAll(async () => {
  kiln = await openPandocConverter()
})
afterAll(() => kiln.close())

const rst = async (markdown: string) => (await kiln.convert(markdown, 'md', 'rst')).toString()

it('becomes headings, tables, lists, links and formatting', async () => {
  const text = await rst(
    [
      '<h1 align="center">Project <em>X</em></h1>',
      `<p align="center">\n  <a href="https://example.org"><img src="${dotUri}" alt="badge"></a>\n</p>`,
      '<table>\n<tr><th>Name</th></tr>\n<tr><td>\n\nMarkdown *inside*\n\n</td></tr>\n</table>',
      'H<sub>2</sub>O, <b>bold</b>, <kbd>Ctrl</kbd> and a <a href="https://example.org/a">link **of** two</a>.',
      '<ul><li>one</li><li>two</li></ul>',
      '<details>\n<summary>Click</summary>\n\nHidden `a < b`.\n\n</details>',
    ].join('\n\n'),
  )
  expect(text).toMatch(/^Project \*X\*\n=+$/m)
  expect(text).toMatch(/image:: data:[^\n]+\n\s+:target: https:\/\/example\.org$/m)
  expect(text).toMatch(/^\+-+\+\n\| Name +\|\n\+=+\+\n\| Markdown \*inside\* +\|$/m)
  expect(text).toMatch(
    /H\\ :sub:`2`\\ O, \*\*bold\*\*, Ctrl and a\s`link of two <https:\/\/example\.org\/a>`__/,
  )
  expect(text).toMatch(/^- +one\n- +two$/m)
  expect(text).toMatch(/^Click\n\nHidden ``a < b``\.$/m)
})

it('keeps the text of HTML that is not complete', async () => {
  const text = await rst(
    [
      '<table><tr><td>\n\ncell\n\n',
      '<ul>\n\nstray\n\n</ul>',
      '</div> <i>unclosed',
      '<ul><li>\n\ndeep\n\n'.repeat(30),
      '<script>alert(1)</script> <iframe src="file:///etc/passwd"></iframe> <a href="javascript:alert(2)">end</a>',
    ].join('\n\n'),
  )
  for (const word of ['cell', 'stray', 'unclosed', 'deep', 'end']) expect(text).toContain(word)
  expect(text).not.toMatch(/alert|passwd|placeholder/i)
})

import { expect, test } from 'vitest'
import { readableHtml } from './readable-html.ts'

const body = (html: string) => /<body[^>]*>(.*)<\/body>/s.exec(readableHtml(html))?.[1]

test.each([
  [
    '<table><tr><td>1<td>2<tr><td>3</table>',
    '<table><tbody><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></tbody></table>',
  ],
  ['<ul>One<li>Two</ul>', '<ul><li>One</li><li>Two</li></ul>'],
  ['<OL>\n<h3>One</h3><li>Two</OL>', '<ol><li>\n<h3>One</h3></li><li>Two</li></ol>'],
  ['<ul><li>One</li><!-- x --><b>Two</b></ul>', '<ul><li>One</li><li><!-- x --><b>Two</b></li></ul>'],
  [
    '<ul><li>One</li><ul><i>Two</i></ul>Three</ul>',
    '<ul><li>One<ul><li><i>Two</i></li></ul></li><li>Three</li></ul>',
  ],
  ['<ul><ul><li>One</ul></ul>', '<ul><li><ul><li>One</li></ul></li></ul>'],
  ['<ul><form><font><li>One</font></form></ul>', '<ul><font></font><li><font>One</font></li></ul>'],
  ['<dl>One<dt>Two<dd>Three</dl>', '<dl><dd>One</dd><dt>Two</dt><dd>Three</dd></dl>'],
  ['<textarea rows=2>One</textarea>', '<pre rows="2">One</pre>'],
  [
    '<table><td colspan=0>One<td COLSPAN="-1" id=a>Two',
    '<table><tbody><tr><td>One</td><td id="a">Two</td></tr></tbody></table>',
  ],
  ['<ul><li><label><input type="checkbox" checked> One</label>', '<ul><li><label>☒  One</label></li></ul>'],
  ['<p><input value="Ann"><input type=hidden value=x><input type=submit value=Go>', '<p> Ann  Go </p>'],
  ['<select><option>One<option selected>Two</select><select><option>Three</select>', ' Two  Three '],
  [
    '<ruby>漢<rt>kan</rt>字<rt>ji</ruby><ruby>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby>',
    '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby><ruby>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby>',
  ],
  [
    '<figure><img src=a><img src=b><figcaption>One</figcaption></figure>',
    '<div><img src="a"><img src="b"><p>One</p></div>',
  ],
  ['<figure>One<img src=a></figure>', '<div>One<img src="a"></div>'],
  [
    '<iframe src="https://a.b" title="Map"></iframe><iframe src="https://ad.b"></iframe>',
    '<p><a href="https://a.b">Map</a></p>',
  ],
  ['<video><source src="a.mp4"></video>', '<p><a href="a.mp4">Video</a></p>'],
  ['<svg><image xlink:href="cover.jpg"/></svg>', '<img src="cover.jpg" alt="">'],
])('%j becomes %j', (html, readable) => expect(body(html)).toBe(readable))

test.each([
  '<ul>\n<li>One<p>Two</p></li>&nbsp;<br>\n</ul>',
  '<ul><li>One</li><script>x<y</script><style>p</style></ul>',
  '<dl><dt>One</dt><dd>Two</dd></dl> Three',
  '<dl><div><dt>One</dt><dd>Two</dd></div></dl>',
  '<figure><a href="b"><img src="a"></a><figcaption>One</figcaption></figure>',
  '<p>— © à &lt;</p>',
])('%j stays as it is', (html) => expect(body(html)).toBe(html))

test('a drawing is a picture that its texts describe', () => {
  const [, source = '', description] =
    /<img src="data:image\/svg\+xml;base64,([^"]*)" alt="([^"]*)">/.exec(
      body('<svg viewBox="0 0 1 1"><title>Chart</title><text>One</text></svg>') ?? '',
    ) ?? []
  expect(description).toBe('Chart One')
  expect(Buffer.from(source, 'base64').toString()).toMatch(
    /^<svg viewBox="0 0 1 1" xmlns="http:\/\/www\.w3\.org\/2000\/svg">/,
  )
})

test('an empty element of XHTML contains nothing', () => {
  const page =
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><a id="x"/><p title="a/>">One<br/></p></body></html>'
  expect(body(page)).toBe('<a id="x"></a><p title="a/&gt;">One<br></p>')
})

test.each([
  ['elements in one another', '<div>'.repeat(1_000)],
  [
    'formats that every paragraph repeats',
    `${Array.from({ length: 500 }, (_, index) => `<p><b a=${index}>x`).join('')}`,
  ],
])('many %s stay as they are', (_, html) => expect(readableHtml(html)).toBe(html))

test.each([
  ['elements', '<div><p>'.repeat(200_000)],
  ['items', `<ul>${'x<li>y</li>'.repeat(50_000)}</ul>`],
  ['fields', '<input value=a>'.repeat(50_000)],
  ['empty elements', `<?xml ?>${'<a b="'.repeat(100_000)}`],
])('many %s take linear time', (_, html) => {
  const before = process.threadCpuUsage()
  readableHtml(html)
  const { user, system } = process.threadCpuUsage(before)
  expect(user + system).toBeLessThan(3_000_000)
})

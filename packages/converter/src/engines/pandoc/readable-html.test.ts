import { expect, test } from 'vitest'
import { readableHtml } from './readable-html.ts'

test.each([
  ['<ul>One<li>Two</ul>', '<ul><li>One<li>Two</ul>'],
  ['<OL>\n<h3>One</h3><li>Two</OL>', '<OL>\n<li><h3>One</h3><li>Two</OL>'],
  ['<ul><li>One</li><!-- x --><b>Two</b></ul>', '<ul><li>One</li><!-- x --><li><b>Two</b></ul>'],
  ['<ul><li>One</li><ul><i>Two</i></ul>Three</ul>', '<ul><li>One</li><ul><li><i>Two</i></ul><li>Three</ul>'],
  ['<dl>One<dt>Two<dd>Three</dl>', '<dl><dd>One<dt>Two<dd>Three</dl>'],
  ['<textarea rows=2>One</textarea>', '<pre rows=2>One</pre>'],
  ['<td colspan=0>One<td COLSPAN="-1" id=a>Two', '<td>One<td id=a>Two'],
  [
    '<ul><li><label><input type="checkbox" checked> One</label><li><p><input type=checkbox>Two</ul>',
    '<ul><li><label>&#9746; <input type="checkbox" checked> One</label><li><p>&#9744; <input type=checkbox>Two</ul>',
  ],
  [
    '<ruby>漢<rt>kan</rt>字<rt>ji</ruby><ruby>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby>',
    '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rp>(</rp><rt>ji<rp>)</rp></ruby><ruby>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby>',
  ],
])('%j becomes %j', (html, readable) => expect(readableHtml(html)).toBe(readable))

test.each([
  '<ul>\n<li>One<p>Two</p></li>&nbsp;<br>\n</ul>',
  '<ul><form><font><li>One</font></form></ul>',
  '<ul><li>One</li><script>x<y</script><style>p</style></ul>',
  '<dl><dt>One</dt><dd>Two</dd></dl> Three',
  '<table><td><ul><li>One</li></td><td>Two</td></table>',
  '<td colspan=2>One<td title="<ul>Two"><!-- <ul>Three',
  '<input type="checkbox"> One<ul><li>Two <input type="checkbox"><li><input type="text"></ul>',
  '</ul>One<li>Two</li>Three',
])('%j stays as it is', (html) => expect(readableHtml(html)).toBe(html))

import { expect, test } from 'vitest'
import { keptNotes, keptTitlePage } from './epub-chapters.ts'

const chapter = (body: string) =>
  `<html xmlns:epub="http://www.idpf.org/2007/ops"><body>${body}</body></html>`
const reference = (href: string) => `<p>Text<a epub:type="noteref" href="${href}">1</a></p>`
const note = '<aside epub:type="footnote" id="n1"><p>Note.</p></aside>'

test('a note of the chapter stays one', () => {
  const own = chapter(reference('#n1') + note)
  expect(keptNotes(own)).toBe(own)
})

test.each([
  [reference('notes.xhtml#n1'), '<p>Text<a href="notes.xhtml#n1">1</a></p>'],
  [
    `${reference('#n1')}<ol><li id="n1">Note.</li></ol>`,
    '<p>Text<a href="#n1">1</a></p><ol><li id="n1">Note.</li></ol>',
  ],
  ['<p>a&nbsp;<br>b</p><a epub:type="noteref" href="x">1</a>', '<p>a&nbsp;<br>b</p><a href="x">1</a>'],
  [note, '<aside id="n1"><p>Note.</p></aside>'],
  ['<div type="rearnote" id="n1">Note.</div>', '<div id="n1">Note.</div>'],
])('%j becomes links and text', (body, kept) => expect(keptNotes(chapter(body))).toBe(chapter(kept)))

test('a title page stays one if it says what the metadata say', () => {
  const page = chapter('<section epub:type="titlepage"><h1>A Book</h1><p>by B. Author</p></section>')
  const metadata = 'A book B. Author 2020'
  expect(keptTitlePage(page, metadata)).toBe(page)
  const epigraph = page.replace('</section>', '<p>Words that stand in front of the whole text.</p></section>')
  expect(keptTitlePage(epigraph, metadata)).toBe(epigraph.replace(' epub:type="titlepage"', ''))
})

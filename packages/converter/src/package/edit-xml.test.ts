import { describe, expect, test } from 'vitest'
import { editXml } from './edit-xml.ts'

const xml = `<?xml version="1.0"?>\r\n<a>\r\n<b x="1" y='2>3' />😀<c>t<d/></c ></a>`

describe('editXml', () => {
  test('without edits the source stays byte for byte', () => {
    expect(editXml(xml, {})).toBe(xml)
  })

  test('sets, adds and removes attributes', () => {
    const edited = editXml(xml, {
      open(element, editor) {
        if (element.name === 'b') editor.setAttributes(element, { x: '5', y: undefined, z: '<"&' })
        if (element.name === 'd') editor.setAttributes(element, { new: '1' })
      },
    })
    expect(edited).toBe(
      xml.replace(`x="1" y='2>3' `, 'x="5" z="&lt;&quot;&amp;" ').replace('<d/>', '<d new="1"/>'),
    )
  })

  test('reports where elements end', () => {
    const sources: string[] = []
    editXml(xml, {
      close: (element, { end }, editor) => sources.push(editor.source(element.start, end)),
    })
    expect(sources).toEqual([`<b x="1" y='2>3' />`, '<d/>', '<c>t<d/></c >', xml.slice(xml.indexOf('<a>'))])
  })

  test('the replacement of an element wins over edits inside it', () => {
    const edited = editXml(xml, {
      open(element, editor) {
        if (element.name === 'd') editor.setAttributes(element, { new: '1' })
      },
      close(element, { end }, editor) {
        if (element.name === 'c') editor.replace(element.start, end, '<e/>')
      },
    })
    expect(edited).toBe(xml.replace('<c>t<d/></c >', '<e/>'))
  })

  test.each(['<a><b></a>', '<a', '<a b="1" b="2"/>', ''])(
    '%j is not well formed and stays as it is',
    (broken) => {
      expect(editXml(broken, { open: (element, editor) => editor.setAttributes(element, { x: '1' }) })).toBe(
        broken,
      )
    },
  )

  test('a tag with much white space takes linear time', () => {
    const long = `<a${' '.repeat(3_000_000)}b="1"/>`
    expect(editXml(long, { open: (element, editor) => editor.setAttributes(element, { b: '2' }) })).toBe(
      '<a b="2"/>',
    )
  })
})

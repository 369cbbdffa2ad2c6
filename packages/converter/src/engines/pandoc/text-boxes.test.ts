import { expect, test } from 'vitest'
import { withFieldsAsText, withTextBehind } from './text-boxes.ts'

const box = (text: string) => `<wps:txbx><w:txbxContent><w:p>${text}</w:p></w:txbxContent></wps:txbx>`

test('the text of a box in DOCX follows its paragraph, once', () => {
  const shape = `<mc:AlternateContent><mc:Choice>${box('One')}</mc:Choice><mc:Fallback>${box('One')}</mc:Fallback></mc:AlternateContent>`
  const moved = withTextBehind(`<w:body><w:p>Before ${shape}${box('Two')}</w:p><w:p>After</w:p></w:body>`)
  expect(moved.replaceAll(/<\/?(?:mc|wps):\w+>|<w:txbxContent><\/w:txbxContent>/g, '')).toBe(
    '<w:body><w:p>Before </w:p><w:p>One</w:p><w:p>Two</w:p><w:p>After</w:p></w:body>',
  )
})

test('the text of frames and shapes in ODT, but not a picture with its caption', () => {
  const frame = '<draw:frame><draw:text-box><text:p>Frame</text:p></draw:text-box></draw:frame>'
  const picture =
    '<draw:frame><draw:text-box><text:p><draw:frame><draw:image/></draw:frame>Caption</text:p></draw:text-box></draw:frame>'
  const note = '<text:note><text:p>Note</text:p></text:note>'
  const shape = '<draw:rect><text:p>Shape</text:p></draw:rect>'
  const moved = withTextBehind(`<x>${frame}<text:p>${picture}${shape}${note}</text:p></x>`)
  expect(moved).toBe(
    `<x><draw:frame><draw:text-box></draw:text-box></draw:frame><text:p>${picture}<draw:rect></draw:rect>${note}</text:p><text:p>Frame</text:p><text:p>Shape</text:p></x>`,
  )
})

test('the fields of ODT are text', () => {
  const fields = '<text:sequence text:name="T">1</text:sequence><text:date>May</text:date><text:page-count/>'
  expect(withFieldsAsText(`<text:p>Table ${fields}<text:sequence-decl/></text:p>`)).toBe(
    '<text:p>Table <text:span text:name="T">1</text:span><text:span>May</text:span><text:span/><text:sequence-decl/></text:p>',
  )
})

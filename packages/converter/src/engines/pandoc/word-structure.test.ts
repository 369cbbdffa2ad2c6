import { expect, test } from 'vitest'
import { completeStructure } from './word-structure.ts'

const text = (content: string) => `<w:t>${content}</w:t>`
const cell = '<w:tc><w:p/></w:tc>'
const grid = (columns: number) => `<w:tblGrid>${'<w:gridCol w:w="1"/>'.repeat(columns)}</w:tblGrid>`

test.each([
  [
    'text beside a picture',
    `<w:p><w:r><w:rPr><w:b/></w:rPr>${text('One')}<w:drawing/>${text('Two')}</w:r></w:p>`,
    `<w:p><w:r><w:rPr><w:b/></w:rPr>${text('One')}</w:r><w:r><w:rPr><w:b/></w:rPr><w:drawing/></w:r><w:r><w:rPr><w:b/></w:rPr>${text('Two')}</w:r></w:p>`,
  ],
  [
    'a field in one run',
    `<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>DATE</w:instrText></w:r></w:p>`,
    `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>DATE</w:instrText></w:r></w:p>`,
  ],
  [
    'alternatives outside of a run',
    `<w:body><mc:AlternateContent><mc:Choice><w:p/></mc:Choice><mc:Fallback><w:p/></mc:Fallback></mc:AlternateContent></w:body>`,
    `<w:body><w:p/></w:body>`,
  ],
  [
    'a fallback alone',
    `<w:p><mc:AlternateContent><mc:Fallback><w:r>${text('One')}</w:r></mc:Fallback></mc:AlternateContent></w:p>`,
    `<w:p><w:r>${text('One')}</w:r></w:p>`,
  ],
  [
    'a formula in an insertion',
    `<w:p><w:ins w:id="1"><w:r/><m:oMath/></w:ins></w:p>`,
    `<w:p><w:ins w:id="1"><w:r/></w:ins><m:oMath/><w:ins w:id="1"></w:ins></w:p>`,
  ],
  [
    'a table without grid, with merged cells',
    `<w:tbl><w:tr>${cell}</w:tr><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr></w:tc>${cell}</w:tr></w:tbl>`,
    `<w:tbl>${grid(3)}<w:tr>${cell}</w:tr><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr></w:tc>${cell}</w:tr></w:tbl>`,
  ],
  [
    'a grid without widths, and a row in a content control',
    `<w:tbl><w:tblGrid><w:gridCol/></w:tblGrid><w:sdt><w:sdtContent><w:tr>${cell}</w:tr></w:sdtContent></w:sdt></w:tbl>`,
    `<w:tbl>${grid(1)}<w:sdt><w:sdtContent><w:tr>${cell}</w:tr></w:sdtContent></w:sdt></w:tbl>`,
  ],
  [
    'an absurd span',
    `<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="9999999"/></w:tcPr></w:tc></w:tr></w:tbl>`,
    `<w:tbl>${grid(63)}<w:tr><w:tc><w:tcPr><w:gridSpan w:val="9999999"/></w:tcPr></w:tc></w:tr></w:tbl>`,
  ],
])('%s', (_, xml, expected) => expect(completeStructure(xml)).toBe(expected))

test.each([
  ['a picture in its own run', '<w:p><w:r><w:rPr/><w:drawing/></w:r></w:p>'],
  [
    'alternatives in their own run',
    '<w:p><w:r><mc:AlternateContent><mc:Choice/></mc:AlternateContent></w:r></w:p>',
  ],
  [
    'a table with its grid',
    `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="9"/><w:gridCol w:w="5"/></w:tblGrid><w:tr>${cell}</w:tr></w:tbl>`,
  ],
])('%s stays as it is', (_, xml) => expect(completeStructure(xml)).toBe(xml))

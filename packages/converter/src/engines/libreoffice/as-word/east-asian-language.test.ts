import { expect, test } from 'vitest'
import { wordEdit } from './as-word.ts'

const stylesOf = (text: string, language: string) =>
  wordEdit
    .apply(
      new Map([
        ['word/document.xml', `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`],
        ['word/styles.xml', `<w:styles><w:lang w:val="de-DE" w:eastAsia="${language}"/></w:styles>`],
      ]),
    )
    .get('word/styles.xml')

test.each([
  ['日本語の文書です', 'ja-JP'],
  ['문서화된 정책', 'ko-KR'],
  ['开源软件', 'zh-CN'],
])('%s is in %s, whatever the styles name', (text, language) => {
  expect(stylesOf(text, 'en-US')).toBe(
    `<w:styles><w:lang w:val="de-DE" w:eastAsia="${language}"/></w:styles>`,
  )
})

test('an East Asian language stays, and so does a document without such text', () => {
  expect(stylesOf('開源軟體', 'zh-TW')).toBeUndefined()
  expect(stylesOf('Text', 'en-US')).toBeUndefined()
})

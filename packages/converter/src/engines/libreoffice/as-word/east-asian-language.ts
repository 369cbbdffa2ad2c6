import type { XmlVisitor } from '../../../package/edit-xml.ts'

// Word breaks East Asian lines by the characters, whatever language the text is said to be in. LibreOffice goes by the
// language, and documents that were translated often name a European one for East Asian text too. So the language of
// most characters is named instead.

const eastAsianLanguage = /^(?:ja|ko|zh)\b/i

/** Of the East Asian characters in a text; undefined where there are none. */
export function languageOf(text: string): string | undefined {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  const hangul = count(/\p{Script=Hangul}/gu)
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)
  const ideographs = count(/\p{Script=Han}/gu)
  if (hangul + kana + ideographs === 0) return undefined
  // Japanese text has kana between its ideographs, and Korean text few ideographs.
  if (hangul > kana + ideographs) return 'ko-KR'
  return kana * 10 > ideographs ? 'ja-JP' : 'zh-CN'
}

/** Names the language in `word/styles.xml`. */
export const languageVisitor = (language: string): XmlVisitor => ({
  open(element, editor) {
    const own = element.attributes['w:eastAsia']
    if (element.name === 'w:lang' && own !== undefined && !eastAsianLanguage.test(own))
      editor.setAttributes(element, { 'w:eastAsia': language })
  },
})

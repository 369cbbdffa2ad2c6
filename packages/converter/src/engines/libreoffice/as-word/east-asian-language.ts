import type { XmlVisitor } from '../../../package/edit-xml.ts'

// Word breaks East Asian lines by character, regardless of the language of the text. LibreOffice follows the language,
// and translated documents often have a European language for East Asian text too. So the language of most characters
// is set instead.

const eastAsianLanguage = /^(?:ja|ko|zh)\b/i

/** The language of the East Asian characters in a text; undefined if there are none. */
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

/** Sets the language in `word/styles.xml`. */
export const languageVisitor = (language: string): XmlVisitor => ({
  open(element, editor) {
    const own = element.attributes['w:eastAsia']
    if (element.name === 'w:lang' && own !== undefined && !eastAsianLanguage.test(own))
      editor.setAttributes(element, { 'w:eastAsia': language })
  },
})

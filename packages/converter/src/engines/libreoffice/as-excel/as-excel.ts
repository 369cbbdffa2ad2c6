import type { PackageEdit, Parts } from '../../../package/edit-package.ts'

// LibreOffice on Linux writes Noto Sans CJK for East Asian text into every workbook, whoever made it. Windows and macOS
// do not have that font. Excel shows Hangul in Malgun Gothic instead, where a syllable is a whole em wide; in Noto it
// is 0.92 em. Ideographs and kana are a whole em wide in both, so other languages stay as they are.

const styles = 'xl/styles.xml'
const strings = 'xl/sharedstrings.xml'
const name = /(<(?:name|rFont) val=")Noto Sans CJK (?:SC|TC|HK|JP|KR)"/g

export const excelEdit: PackageEdit = {
  reads: (part) => part === styles || part === strings,
  apply: changedParts,
}

export function changedParts(parts: Parts): Parts {
  const changed = [...parts].filter(([, xml]) => xml.search(name) >= 0)
  if (changed.length === 0 || !isKorean(parts.get(strings) ?? '')) return new Map()
  return new Map(changed.map(([part, xml]) => [part, xml.replaceAll(name, '$1Malgun Gothic"')]))
}

function isKorean(text: string): boolean {
  let hangul = 0
  let other = 0
  for (const [found] of text.matchAll(
    /\p{Script=Hangul}+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu,
  )) {
    if (/\p{Script=Hangul}/u.test(found)) hangul += found.length
    else other += found.length
  }
  return hangul > other
}

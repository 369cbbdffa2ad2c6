import type { Parts } from '../../../package/edit-package.ts'
import { childOf, descendants, readTree } from '../../../package/edit-xml.ts'
import { type FieldTargets, readFieldTargets } from '../keep-dates/field-targets.ts'
import { tabStopsOf, textWidthOf } from './aligned-tabs.ts'
import { balancesWidths, compatibilityModeOf } from './compatibility.ts'
import type { FontReference } from './run-fonts.ts'
import { readStyleSheet, type StyleSheet } from './style-sheet.ts'

// Data shared by all parts of a document, parsed on demand.

export const partNames = {
  body: 'word/document.xml',
  fontTable: 'word/fonttable.xml',
  numbering: 'word/numbering.xml',
  settings: 'word/settings.xml',
  styles: 'word/styles.xml',
  theme: 'word/theme/theme1.xml',
} as const

export interface WordDocument {
  sheet(): StyleSheet
  /** The family of a run, named directly or through the theme. */
  familyOf(reference: FontReference | undefined): string | undefined
  /** The version of Word whose layout the document uses: 15 is Word 2013 and later. */
  compatibilityMode(): number
  /** Whether spaces between East Asian characters have the width of the East Asian font. */
  balancesWidths(): boolean
  /** In twips, if all sections have the same. */
  textWidth(): number | undefined
  /** Positions of the tab stops of all styles. */
  tabStops(): ReadonlySet<string>
  targets: FieldTargets
}

export function readWordDocument(parts: Parts): WordDocument {
  let sheet: StyleSheet | undefined
  let mode: number | undefined
  let balances: boolean | undefined
  let theme: ReadonlyMap<string, string> | undefined
  return {
    sheet() {
      sheet ??= readStyleSheet(parts.get(partNames.styles) ?? '')
      return sheet
    },
    familyOf(reference) {
      if (reference?.theme === undefined) return reference ? reference.family : 'Times New Roman'
      theme ??= readTheme(parts.get(partNames.theme) ?? '')
      return theme.get(reference.theme.startsWith('major') ? 'a:majorFont' : 'a:minorFont')
    },
    compatibilityMode() {
      mode ??= compatibilityModeOf(parts.get(partNames.settings) ?? '')
      return mode
    },
    balancesWidths() {
      balances ??= balancesWidths(parts.get(partNames.settings) ?? '')
      return balances
    },
    textWidth: () => textWidthOf(parts.get(partNames.body) ?? ''),
    tabStops: () => tabStopsOf(parts.get(partNames.styles) ?? ''),
    targets: readFieldTargets(parts.get(partNames.body), parts.get(partNames.styles) ?? ''),
  }
}

/** The Latin fonts of headings and body text. */
function readTheme(xml: string): ReadonlyMap<string, string> {
  const root = readTree(xml)
  const fonts = root && [...descendants(root)].find(({ name }) => name === 'a:fontScheme')
  return new Map(
    (fonts?.children ?? []).flatMap((font) => {
      const family = childOf(font, 'a:latin')?.attributes['typeface'] ?? ''
      return family === '' ? [] : [[font.name, family] as const]
    }),
  )
}

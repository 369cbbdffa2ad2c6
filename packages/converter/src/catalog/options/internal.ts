import type { Pair } from '../pairs.ts'
import type { Kind } from './kinds.ts'
import type { OfficeArgument } from './office.ts'
import { type Option, rowsFor } from './option.ts'
import type { PageArgument } from './pages.ts'

// Options that only the compatibility APIs set: settings of other services without an equivalent in the interface, as
// one JSON text for each engine. Callers of the interface can neither set nor see them.

const longestText = 20_000

/** A JSON object whose values have the given types, by name. */
const jsonObject = (types: Readonly<Record<string, 'boolean' | 'number' | 'string'>>): Kind<string> => ({
  schema: { type: 'string', maxLength: longestText },
  expected: 'a JSON object with the settings of the engine',
  isValid: (value): value is string => {
    if (typeof value !== 'string' || value.length > longestText) return false
    try {
      const entries = Object.entries(JSON.parse(value) as object)
      return entries.every(([name, each]) => Object.hasOwn(types, name) && fits(each, types[name]))
    } catch {
      // Not JSON.
      return false
    }
  },
})

/** The export options reach LibreOffice in one line, separated by semicolons. */
const fits = (value: unknown, type: string | undefined): boolean =>
  typeof value === type &&
  (typeof value !== 'string' || !/[;\p{Cc}]/u.test(value)) &&
  (typeof value !== 'number' || Number.isFinite(value))

const typed = <Type extends string>(type: Type, names: string): Record<string, Type> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, type]))

/** The PDF export options of LibreOffice that a caller may set. */
const exportTypes = {
  ...typed(
    'boolean',
    `AllowDuplicateFieldNames CenterWindow ConvertOOoTargetToPDFTarget DisplayPDFDocumentTitle
   ExportBookmarks ExportBookmarksToPDFDestination ExportFormFields ExportHiddenSlides
   ExportLinksRelativeFsys ExportNotes ExportNotesInMargin ExportNotesPages ExportOnlyNotesPages
   ExportPlaceholders FirstPageOnLeft HideViewerMenubar HideViewerToolbar HideViewerWindowControls
   IsAddStream IsSkipEmptyPages OpenInFullScreenMode ReduceImageResolution ResizeWindowToInitialPage
   SinglePageSheets UseLosslessCompression UseTransitionEffects`,
  ),
  ...typed(
    'number',
    `InitialPage InitialView Magnification MaxImageResolution OpenBookmarkLevels PageLayout Quality
   WatermarkColor WatermarkFontHeight WatermarkRotateAngle Zoom`,
  ),
  ...typed('string', `TiledWatermark Watermark WatermarkFontName`),
}

/** Besides the export options. */
const officeTypes = {
  landscape: 'boolean',
  updateIndexes: 'boolean',
  passwordMustBeNeeded: 'boolean',
} as const

/** How Chromium prints: lengths in inches, pages as Chromium writes them. */
const printTypes = {
  paperWidth: 'number',
  paperHeight: 'number',
  marginTop: 'number',
  marginBottom: 'number',
  marginLeft: 'number',
  marginRight: 'number',
  scale: 'number',
  landscape: 'boolean',
  printBackground: 'boolean',
  omitBackground: 'boolean',
  preferCSSPageSize: 'boolean',
  singlePage: 'boolean',
  pageRanges: 'string',
  media: 'string',
  mediaFeatures: 'string',
  tagged: 'boolean',
  outline: 'boolean',
  header: 'boolean',
  footer: 'boolean',
  markdown: 'boolean',
} as const

export type PrintSettings = {
  [Name in keyof typeof printTypes]?: {
    boolean: boolean
    number: number
    string: string
  }[(typeof printTypes)[Name]]
}

const texts = {
  label: 'Compatibility settings',
  description: 'Settings of a compatibility API.',
  default: 'Those of Kiln.',
  example: '{}',
}

export const internalOfficeOptions = [
  rowsFor<OfficeArgument>()({
    ...texts,
    name: 'officeSettings',
    appliesTo: ({ engine, to }: Pair) => engine === 'libreoffice' && to === 'pdf',
    kind: jsonObject({ ...exportTypes, ...officeTypes }),
    argument: (json) => {
      const { landscape, updateIndexes, passwordMustBeNeeded, ...exportOptions } = JSON.parse(json)
      return { landscape, updateIndexes, passwordMustBeNeeded, exportOptions }
    },
  }),
]

export const internalPageOptions = [
  rowsFor<PageArgument>()({
    ...texts,
    name: 'printSettings',
    appliesTo: ({ engine, from }: Pair) => engine === 'chromium' && from === 'html',
    kind: jsonObject(printTypes),
    argument: (json) => ({ print: JSON.parse(json) as PrintSettings }),
  }),
]

export const internalOptionsOf = (pair: Pair): Option[] =>
  [...internalOfficeOptions, ...internalPageOptions].filter(({ appliesTo }) => appliesTo(pair))

import { findPair, optionsOf } from '@kiln/converter/catalog'
import { formatOfExtension } from '../extract.ts'
import { extensionOf, type FormFile } from '../form.ts'
import type { Output, OutputFile } from '../outputs.ts'
import { type Fields, InvalidForm, openFields } from './fields.ts'
import {
  archiveSteps,
  checkSteps,
  readArchiveFormat,
  readMerge,
  readSplit,
  readSteps,
  type Steps,
} from './steps.ts'
import { applySteps, convertTo, hasFailedWith, type Work } from './work.ts'

// POST /forms/libreoffice/convert: documents to PDF. Only fields that the caller sets are passed on; Kiln's defaults
// apply to all others, except that indexes are updated, as Gotenberg does.

const inferior = 'value is inferior to 1'
const oneOf =
  (...values: readonly number[]) =>
  (value: number) =>
    values.includes(value)
const atLeastOne = (value: number) => value >= 1

/** Options of LibreOffice's PDF export whose name is not that of the field with a capital. */
const optionNames: Readonly<Record<string, string>> = {
  landscape: 'landscape',
  exportBookmarksToPdfDestination: 'ExportBookmarksToPDFDestination',
  convertOooTargetToPdfTarget: 'ConvertOOoTargetToPDFTarget',
  skipEmptyPages: 'IsSkipEmptyPages',
  addOriginalDocumentAsStream: 'IsAddStream',
  losslessImageCompression: 'UseLosslessCompression',
}
const optionOf = (field: string): string =>
  optionNames[field] ?? field.charAt(0).toUpperCase() + field.slice(1)

/** Fields of LibreOffice's PDF export, in the order in which their errors are reported. */
function readExport(fields: Fields) {
  const set: Record<string, boolean | number | string> = {}
  const flags = (names: string) => {
    for (const name of names.split(' ')) {
      const value = fields.flag(name, false)
      if (fields.has(name)) set[optionOf(name)] = value
    }
  }
  const number = (name: string, fits: (value: number) => boolean, must: string) => {
    const value = fields.integer(name, 0, fits, must)
    if (fields.has(name)) set[optionOf(name)] = value
  }
  flags('landscape exportFormFields allowDuplicateFieldNames exportBookmarks exportBookmarksToPdfDestination')
  // The other defaults are LibreOffice's.
  set[optionOf('exportFormFields')] ??= true
  flags('exportPlaceholders exportNotes exportNotesPages exportOnlyNotesPages exportNotesInMargin')
  flags('convertOooTargetToPdfTarget exportLinksRelativeFsys exportHiddenSlides skipEmptyPages')
  flags('addOriginalDocumentAsStream singlePageSheets')
  number('initialView', oneOf(0, 1, 2), 'value is not 0, 1 or 2')
  number('initialPage', atLeastOne, inferior)
  number('magnification', oneOf(0, 1, 2, 3, 4), 'value is not 0, 1, 2, 3 or 4')
  number('zoom', atLeastOne, inferior)
  number('pageLayout', oneOf(0, 1, 2, 3), 'value is not 0, 1, 2 or 3')
  flags('firstPageOnLeft resizeWindowToInitialPage centerWindow openInFullScreenMode displayPDFDocumentTitle')
  flags('hideViewerMenubar hideViewerToolbar hideViewerWindowControls useTransitionEffects')
  const levels = (value: number) => value === -1 || (value >= 1 && value <= 10)
  number('openBookmarkLevels', levels, 'value is not -1 or between 1 and 10')
  flags('losslessImageCompression')
  const hasQuality = (value: number) => value >= 1 && value <= 100
  const isNegative = fields.text('quality').startsWith('-')
  number('quality', hasQuality, isNegative ? inferior : 'value is superior to 100')
  flags('reduceImageResolution')
  const resolutions = [75, 150, 300, 600, 1200]
  number('maxImageResolution', oneOf(...resolutions), 'value is not 75, 150, 300, 600 or 1200')
  readWatermark(fields, set)
  return set
}

function readWatermark(fields: Fields, set: Record<string, boolean | number | string>): void {
  for (const [name, option] of [
    ['nativeWatermarkText', 'Watermark'],
    ['nativeTiledWatermarkText', 'TiledWatermark'],
    ['nativeWatermarkFontName', 'WatermarkFontName'],
  ] as const)
    if (fields.has(name)) set[option] = fields.text(name).replaceAll(/[;\p{Cc}]/gu, ' ')
  for (const [name, option] of [
    ['nativeWatermarkColor', 'WatermarkColor'],
    ['nativeWatermarkFontHeight', 'WatermarkFontHeight'],
    ['nativeWatermarkRotateAngle', 'WatermarkRotateAngle'],
  ] as const) {
    const value = fields.integer(name, 0, () => true, '')
    if (fields.has(name)) set[option] = value
  }
}

export async function convertDocuments(work: Work): Promise<Output> {
  const fields = openFields(work.form)
  const documents = fields.filesWith(documentExtensions)
  const settings = readExport(fields)
  const [password, pages] = [fields.text('password'), fields.text('nativePageRanges')]
  const updateIndexes = fields.flag('updateIndexes', true)
  const isMerged = fields.flag('merge', false)
  const split = readSplit(fields)
  const archive = readArchiveFormat(fields)
  const { steps, entries } = readSteps(fields)
  fields.done()
  const all: Steps = {
    ...(isMerged && documents.length > 1 ? { merge: readMerge(fields, work.baseName) } : {}),
    ...(split ? { split } : {}),
    ...steps,
  }
  checkSteps(all)
  if (archive.wrong !== undefined)
    throw new InvalidForm(
      `The PDF format '${archive.wrong}' is not supported. Valid formats include PDF/A-1b, PDF/A-2b, PDF/A-3b, and PDF/UA.`,
    )
  const wanted = { password, pages, settings: { ...settings, updateIndexes }, format: archive.format }
  const made: (OutputFile | { name: string; path: string })[] = []
  // Concurrently: the queue decides how many of them run at a time.
  made.push(...(await Promise.all(documents.map((document) => convertDocument(work, document, wanted)))))
  // LibreOffice's output conforms. A PDF that was changed afterwards, or uploaded, has to be converted.
  const isChanged = Object.keys(all).length > 0 || made.some((each) => 'path' in each)
  const further = isChanged ? archiveSteps(archive, all) : {}
  return applySteps(work, made, { steps: { ...all, ...further }, entries })
}

interface Wanted {
  password: string
  pages: string
  settings: Record<string, unknown>
  format: object
}

/** A PDF is passed through. */
async function convertDocument(work: Work, document: FormFile, wanted: Wanted) {
  const extension = extensionOf(document.name)
  const name = `${document.name}.pdf`
  if (extension === '.pdf') return { name: document.name, path: document.path }
  const format = documentFormat(extension)
  const pair = format && findPair(`${format}-to-pdf`)
  if (!pair)
    throw new InvalidForm(
      `Kiln does not convert '${extension}' files to PDF ('${document.name}'). docs/formats.md lists what it converts.`,
    )
  const isOffice = pair.engine === 'libreoffice'
  if (!isOffice && (wanted.password || wanted.pages || Object.keys(wanted.format).length > 0))
    throw new InvalidForm(
      `Kiln prints '${document.name}' as a web page: 'password', 'nativePageRanges', 'pdfa' and 'pdfua' do not apply to it.`,
    )
  const takesPassword = optionsOf(pair).some((option) => option.name === 'password')
  if (wanted.password && !takesPassword) throw notProtected(document)
  if (wanted.pages && !rangesPattern.test(wanted.pages)) throw wrongPages(document, wanted.pages)
  const options = {
    ...(wanted.password ? { password: wanted.password } : {}),
    ...(wanted.pages ? { pages: wanted.pages } : {}),
    ...wanted.format,
    officeSettings: JSON.stringify({ ...wanted.settings, passwordMustBeNeeded: wanted.password !== '' }),
  }
  const input = { pair: pair.slug, path: document.path, ...(isOffice ? { options } : {}) }
  return convertTo(work, input, name).catch((error: unknown) => {
    throw explained(error, document, wanted)
  })
}

const rangesPattern = /^[1-9]\d{0,4}(-([1-9]\d{0,4})?)?(,[1-9]\d{0,4}(-([1-9]\d{0,4})?)?)*$/

const notProtected = ({ name }: FormFile) =>
  new InvalidForm(`The document '${name}' is not password-protected. Remove the 'password' form field.`)

const wrongPages = ({ name }: FormFile, pages: string) =>
  new InvalidForm(
    `LibreOffice could not apply the page ranges '${pages}' to the document '${name}'. Check the 'nativePageRanges' form field; valid values look like '1-4', '2' or '1,3,5-7'.`,
  )

/** With Gotenberg's message where there is one. */
function explained(error: unknown, document: FormFile, { password, pages }: Wanted): unknown {
  const { name } = document
  if (hasFailedWith(error, 'password-protected'))
    return password
      ? new InvalidForm(
          `The password for the document '${name}' is incorrect. Check the 'password' form field.`,
        )
      : new InvalidForm(
          `The document '${name}' is password-protected. Provide its password in the 'password' form field.`,
        )
  if (hasFailedWith(error, 'unsupported') && password && /no password/.test(error.message))
    return notProtected(document)
  if (hasFailedWith(error, 'unsupported') && pages) return wrongPages(document, pages)
  return error
}

// The extensions that /forms/libreoffice/convert accepts. Kiln does not convert the files of the second list.

const converted =
  '.csv .doc .docm .docx .dot .dotm .dotx .epub .fods .fodt .htm .html .key .numbers .odg .odp .ods .odt .otg .otp .ots .ott .pages .pot .potm .potx .pps .ppsm .ppsx .ppt .pptm .pptx .pub .rtf .txt .vsd .vsdm .vsdx .wpd .xhtml .xls .xlsb .xlsm .xlsx .xlt .xltm .xltx'
const refused =
  '.123 .602 .abw .bib .bmp .cdr .cgm .cmx .cwk .dbf .dif .dxf .emf .eps .fodg .fodp .fopd .gif .hwp .jpeg .jpg .ltx .lwp .mcw .met .mml .mw .odd .odm .oth .pbm .pcd .pct .pcx .pdb .pdf .pgm .png .ppm .psd .psw .pwp .pxl .ras .sda .sdc .sdd .sdp .sdw .sgl .slk .smf .stc .std .sti .stw .svg .svm .swf .sxc .sxd .sxg .sxi .sxm .sxw .tga .tif .tiff .uof .uop .uos .uot .vdx .vor .wb2 .wk1 .wks .wmf .wpg .wps .xbm .xlw .xml .xpm .zabw'

const documentExtensions: readonly string[] = `${converted} ${refused}`.split(' ').sort()

/** The format that Kiln reads such a file as. */
const documentFormat = (extension: string): string | undefined =>
  converted.split(' ').includes(extension) ? formatOfExtension(extension) : undefined

import { findPair, optionsOf } from '@kiln/converter/catalog'
import { extensionOf, type FormFile } from '../form.ts'
import type { Output, OutputFile } from '../outputs.ts'
import { archiveSteps, readArchiveFormat } from './archive-format.ts'
import { documentExtensions, documentFormat } from './extensions.ts'
import { type Fields, InvalidForm, openFields } from './fields.ts'
import { checkSteps, readMerge, readSplit, readSteps, type Steps } from './steps.ts'
import { applySteps, convertTo, hasFailedWith, type Work } from './work.ts'

// POST /forms/libreoffice/convert: documents to PDF. Only fields that the caller sets are passed on; Kiln's defaults
// apply to all others, except that indexes are updated, as Gotenberg does.

const inferior = 'value is inferior to 1'
const oneOf =
  (...values: readonly number[]) =>
  (value: number) =>
    values.includes(value)
const atLeastOne = (value: number) => value >= 1

/** Fields of LibreOffice's PDF export, in the order in which their errors are reported. */
function readExport(fields: Fields) {
  const set: Record<string, boolean | number | string> = {}
  const flag = (name: string, option: string) => {
    const value = fields.flag(name, false)
    if (fields.has(name)) set[option] = value
  }
  const number = (name: string, option: string, fits: (value: number) => boolean, must: string) => {
    const value = fields.integer(name, 0, fits, must)
    if (fields.has(name)) set[option] = value
  }
  flag('landscape', 'landscape')
  flag('exportFormFields', 'ExportFormFields')
  flag('allowDuplicateFieldNames', 'AllowDuplicateFieldNames')
  flag('exportBookmarks', 'ExportBookmarks')
  flag('exportBookmarksToPdfDestination', 'ExportBookmarksToPDFDestination')
  flag('exportPlaceholders', 'ExportPlaceholders')
  flag('exportNotes', 'ExportNotes')
  flag('exportNotesPages', 'ExportNotesPages')
  flag('exportOnlyNotesPages', 'ExportOnlyNotesPages')
  flag('exportNotesInMargin', 'ExportNotesInMargin')
  flag('convertOooTargetToPdfTarget', 'ConvertOOoTargetToPDFTarget')
  flag('exportLinksRelativeFsys', 'ExportLinksRelativeFsys')
  flag('exportHiddenSlides', 'ExportHiddenSlides')
  flag('skipEmptyPages', 'IsSkipEmptyPages')
  flag('addOriginalDocumentAsStream', 'IsAddStream')
  flag('singlePageSheets', 'SinglePageSheets')
  number('initialView', 'InitialView', oneOf(0, 1, 2), 'value is not 0, 1 or 2')
  number('initialPage', 'InitialPage', atLeastOne, inferior)
  number('magnification', 'Magnification', oneOf(0, 1, 2, 3, 4), 'value is not 0, 1, 2, 3 or 4')
  number('zoom', 'Zoom', atLeastOne, inferior)
  number('pageLayout', 'PageLayout', oneOf(0, 1, 2, 3), 'value is not 0, 1, 2 or 3')
  flag('firstPageOnLeft', 'FirstPageOnLeft')
  flag('resizeWindowToInitialPage', 'ResizeWindowToInitialPage')
  flag('centerWindow', 'CenterWindow')
  flag('openInFullScreenMode', 'OpenInFullScreenMode')
  flag('displayPDFDocumentTitle', 'DisplayPDFDocumentTitle')
  flag('hideViewerMenubar', 'HideViewerMenubar')
  flag('hideViewerToolbar', 'HideViewerToolbar')
  flag('hideViewerWindowControls', 'HideViewerWindowControls')
  flag('useTransitionEffects', 'UseTransitionEffects')
  const levels = (value: number) => value === -1 || (value >= 1 && value <= 10)
  number('openBookmarkLevels', 'OpenBookmarkLevels', levels, 'value is not -1 or between 1 and 10')
  flag('losslessImageCompression', 'UseLosslessCompression')
  const hasQuality = (value: number) => value >= 1 && value <= 100
  number(
    'quality',
    'Quality',
    hasQuality,
    fields.text('quality').startsWith('-') ? inferior : 'value is superior to 100',
  )
  flag('reduceImageResolution', 'ReduceImageResolution')
  const resolutions = [75, 150, 300, 600, 1200]
  number(
    'maxImageResolution',
    'MaxImageResolution',
    oneOf(...resolutions),
    'value is not 75, 150, 300, 600 or 1200',
  )
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

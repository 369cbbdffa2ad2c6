import { constants } from 'node:fs'
import { chmod, copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLocked } from '../../catalog/file-types/detect-file-type.ts'
import { isZip, withUpload } from '../../catalog/file-types/upload.ts'
import { detectVariant, isEncryptedWorkbook } from '../../catalog/file-types/variant.ts'
import type { FormatName } from '../../catalog/pairs.ts'
import { bothEdits, editPackage, type PackageEdit, type Parts } from '../../package/edit-package.ts'
import { openPackage } from '../../package/read-package.ts'
import type { EngineRun } from '../engine.ts'
import { excelEdit } from './as-excel/as-excel.ts'
import { setBinaryPrintLayout } from './as-excel/binary-workbook.ts'
import { columnDigit } from './as-excel/printed-units.ts'
import { stylesPart } from './as-excel/tables/style-tables.ts'
import { readStyles } from './as-excel/workbook-styles.ts'
import { powerPointEdit } from './as-powerpoint/as-powerpoint.ts'
import { readDeckFonts } from './as-powerpoint/deck-fonts.ts'
import { wordEdit } from './as-word/as-word.ts'
import { hasFacingPages, printsBlankPages } from './as-word/blank-pages.ts'
import { readFontTable } from './as-word/font-table.ts'
import { compressesPunctuation } from './as-word/hanging-punctuation.ts'
import { partNames } from './as-word/word-document.ts'
import { detectCsvDialect } from './csv-dialect.ts'
import { type DocumentFont, fontRules } from './font-rules.ts'
import { keepDates, openDocumentEdit } from './keep-dates/keep-dates.ts'
import { type Details, hasPhotos } from './plan.ts'
import { removeSignatures } from './remove-signatures.ts'

/** For the engine's user as well. A mode passed at creation would be reduced by the umask. */
const writable = 0o666

// Prepares a document before LibreOffice opens it. Runs in a worker thread.

export interface PreparedSource {
  /** Its path in the sandbox. */
  source: string
  details: Details
  /** Whether the document needs the password that was given. */
  isLocked: boolean
}

interface Input extends Pick<EngineRun, 'from' | 'to' | 'inFolder' | 'outFolder' | 'inputName'> {
  hasPassword: boolean
}

export async function prepareSource(run: Input): Promise<PreparedSource> {
  const original = join(run.inFolder, run.inputName)
  // Without the password, it can be neither read nor changed.
  if (run.hasPassword && (await isLockedFile(original)))
    return { source: `/in/${run.inputName}`, details: await detailsOf(run.from, original), isLocked: true }
  if (run.from === 'txt' || run.from === 'csv') return prepareText(run, original)
  const name = `source.${run.from}`
  const target = join(run.outFolder, name)
  const isPackage = await withUpload(original, async ({ head }) => isZip(head))
  const { isEdited, details } = await (isPackage ? editZipPackage : editOneFile)(run, original, target)
  return { source: isEdited ? `/out/${name}` : `/in/${run.inputName}`, details, isLocked: false }
}

interface Edited {
  isEdited: boolean
  details: Details
}

const packageEdits: Partial<Record<FormatName, PackageEdit>> = {
  docx: wordEdit,
  xlsx: excelEdit,
  pptx: powerPointEdit,
  odt: openDocumentEdit,
}

/** Readers for the font descriptions of packages. */
const fontReaders: Partial<Record<FormatName, (parts: Parts) => DocumentFont[]>> = {
  docx: (parts) => readFontTable(parts.get(partNames.fontTable) ?? ''),
  pptx: readDeckFonts,
}

/** Documents that become PDF are edited to look as in their own program. */
async function editZipPackage({ from, to }: Input, path: string, target: string): Promise<Edited> {
  const toPdf = to === 'pdf' ? packageEdits[from] : undefined
  const edit = toPdf ? bothEdits(toPdf, removeSignatures) : removeSignatures
  return withUpload(path, (upload) =>
    openPackage(upload, async (archive) => {
      const { isEdited, parts } = await editPackage(archive, target, edit)
      if (isEdited) await chmod(target, writable)
      const photos = from === 'pptx' ? { hasPhotos: hasPhotos(archive.entries.map(({ name }) => name)) } : {}
      const normalFont = from === 'xlsx' ? readStyles(parts.get(stylesPart) ?? '')?.normalFont : undefined
      const digit = normalFont && columnDigit(normalFont)
      return {
        isEdited,
        details: {
          ...photos,
          digit,
          printsBlankPages: from === 'docx' && printsBlankPages(parts),
          compressesPunctuation: compressesPunctuation(parts.get(partNames.settings) ?? ''),
          fontRules: fontRules(fontReaders[from]?.(parts) ?? []),
        },
      }
    }),
  )
}

/** A document that is no package. Only those that become PDF are edited. */
async function editOneFile({ from, to }: Input, path: string, target: string): Promise<Edited> {
  const details = await detailsOf(from, path)
  if (to !== 'pdf') return { isEdited: false, details }
  if (from !== 'xls') {
    const isEdited = await keepDates(path, target, from)
    return { isEdited, details: { ...details, printsBlankPages: await hasFacingPages(path, from) } }
  }
  const normalFont = await setBinaryPrintLayout(path, target)
  return {
    isEdited: normalFont !== undefined,
    details: { ...details, digit: normalFont && columnDigit(normalFont) },
  }
}

async function detailsOf(from: FormatName, hostPath: string): Promise<Details> {
  return from === 'pptx' ? {} : { variant: await detectVariant(hostPath) }
}

const isLockedFile = async (path: string): Promise<boolean> =>
  (await isEncryptedWorkbook(path)) || (await withUpload(path, isLocked))

/** Text, which is UTF-8 here. A table gets a new layout, so its file must be writable. */
async function prepareText(run: Input, original: string): Promise<PreparedSource> {
  if (run.from === 'txt') return { source: `/in/${run.inputName}`, details: {}, isLocked: false }
  const copy = join(run.outFolder, 'source.csv')
  await copyFile(original, copy, constants.COPYFILE_EXCL)
  await chmod(copy, writable)
  return { source: '/out/source.csv', details: { csv: await detectCsvDialect(copy) }, isLocked: false }
}

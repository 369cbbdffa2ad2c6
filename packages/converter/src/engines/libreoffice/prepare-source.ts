import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { FormatName } from '../../catalog/pairs.ts'
import { isLocked } from '../../catalog/sniff/recognize.ts'
import { detectTextEncoding } from '../../catalog/sniff/text-encoding.ts'
import { toUtf8 } from '../../catalog/sniff/to-utf8.ts'
import { withUpload } from '../../catalog/sniff/upload.ts'
import { detectVariant, isEncryptedWorkbook } from '../../catalog/sniff/variant.ts'
import { failed } from '../../failure.ts'
import type { EngineRun } from '../engine.ts'
import { asExcelShows } from './as-excel/as-excel.ts'
import { asPowerPointShows } from './as-powerpoint/as-powerpoint.ts'
import { asWordShows } from './as-word/as-word.ts'
import { detectCsvDialect } from './csv-dialect.ts'
import { keepDates } from './keep-dates/keep-dates.ts'
import { type Details, hasPhotos } from './plan.ts'
import { partNames } from './replace-parts.ts'

// What happens to a document before LibreOffice opens it. Runs in a thread.

export interface PreparedSource {
  /** As the box sees it. */
  source: string
  details: Details
  /** Does it take a password to open? Asked only where there is one. */
  isLocked: boolean
}

interface Input extends Pick<EngineRun, 'from' | 'to' | 'inFolder' | 'outFolder' | 'inputName'> {
  hasPassword: boolean
}

export async function prepareSource(run: Input): Promise<PreparedSource> {
  const original = join(run.inFolder, run.inputName)
  // Nothing in it can be read, or changed, without the password.
  if (run.hasPassword && (await isLockedFile(original)))
    return { source: `/in/${run.inputName}`, details: await detailsOf(run.from, original), isLocked: true }
  const { source, hostPath } = await readableSource(run)
  return { source, details: await detailsOf(run.from, hostPath), isLocked: false }
}

async function detailsOf(from: FormatName, hostPath: string): Promise<Details> {
  if (from === 'csv') return { csv: await detectCsvDialect(hostPath) }
  if (from === 'pptx') return { hasPhotos: hasPhotos(await partNames(hostPath)) }
  return from === 'txt' ? {} : { variant: await detectVariant(hostPath) }
}

const isLockedFile = async (path: string): Promise<boolean> =>
  (await isEncryptedWorkbook(path)) || (await withUpload(path, isLocked))

interface Source {
  /** As the box sees it. */
  source: string
  hostPath: string
}

/** The input as it is, or a copy that says the same in a form that LibreOffice reads without guessing. */
async function readableSource(run: Input): Promise<Source> {
  const hostPath = join(run.inFolder, run.inputName)
  if (run.from === 'txt' || run.from === 'csv') {
    const found = await detectTextEncoding(hostPath)
    if (!found) throw failed.wrongFormat('The file is not text.')
    // A table is laid out anew, so its file must be writable.
    if (run.from === 'csv' || found.encoding !== 'utf-8' || found.byteOrderMark) {
      const name = `source.${run.from}`
      const copy = join(run.outFolder, name)
      await toUtf8(hostPath, found.encoding, copy)
      // For the engine user as well. A mode that is given when the file is made loses what the umask takes.
      await chmod(copy, 0o666)
      return { source: `/out/${name}`, hostPath: copy }
    }
  }
  const name = `source.${run.from}`
  const changed = join(run.outFolder, name)
  // What becomes a document of another program stays as it is.
  const change =
    { docx: asWordShows, xlsx: asExcelShows, pptx: asPowerPointShows }[run.from as string] ?? keepDates
  if (run.to === 'pdf' && (await change(hostPath, changed, run.from)))
    return { source: `/out/${name}`, hostPath: changed }
  return { source: `/in/${run.inputName}`, hostPath }
}

import { flatFormat } from './office-packages.ts'
import { isOle, type OleStream, readOleRoot } from './ole.ts'
import { withUpload } from './upload.ts'

// Properties of a file, beyond its format, that the engine needs.

/** Binary documents of before Office 97; OpenDocument as one XML file. */
export type Variant = 'word-6' | 'word-95' | 'excel-95' | 'powerpoint-95' | 'flat-text' | 'flat-sheet'

export async function detectVariant(path: string): Promise<Variant | undefined> {
  return withUpload(path, async (upload) => {
    const flat = flatFormat(upload.head.toString('utf8'))
    if (flat) return flat === 'ods' ? 'flat-sheet' : 'flat-text'
    if (!isOle(upload.head)) return undefined
    const { streams } = await readOleRoot(upload)
    if (streams.has('Book') && !streams.has('Workbook')) return 'excel-95'
    if (isPowerPoint95(streams)) return 'powerpoint-95'
    const fib = await streams.get('WordDocument')?.start(4)
    // The number of the format: 101 to 103 is Word 6, 104 and 105 Word 95, from 193 on Word 97.
    const version = fib && fib.length === 4 ? fib.readUInt16LE(2) : 193
    if (version >= 193) return undefined
    return version <= 103 ? 'word-6' : 'word-95'
  })
}

/** PowerPoint 4, whose stream has a name of its own, or 95, whose directory of records is in a stream. */
export const isPowerPoint95 = (streams: ReadonlyMap<string, OleStream>): boolean =>
  streams.has('PowerPoint Document') ? streams.has('PersistentStorage Directory') : streams.has('PP40')

/**
 * Does the workbook at `path` contain an encryption record? That is no reason to refuse it: a write-protected workbook
 * is encrypted with a well-known password.
 */
export async function isEncryptedWorkbook(path: string): Promise<boolean> {
  // A damaged workbook contains no record that can be read; LibreOffice reports the damage.
  return withUpload(path, async (upload) => {
    if (!isOle(upload.head)) return false
    const { streams } = await readOleRoot(upload)
    const workbook = streams.get('Workbook') ?? streams.get('Book')
    return workbook !== undefined && hasEncryptionRecord(workbook)
  }).catch(() => false)
}

export async function hasEncryptionRecord(workbook: OleStream): Promise<boolean> {
  const records = await workbook.start(4_096)
  // The record comes soon after the first; each has a number and a length.
  for (let at = 0; at + 4 <= records.length; at += 4 + records.readUInt16LE(at + 2)) {
    if (records.readUInt16LE(at) === filePassRecord) return true
  }
  return false
}

const filePassRecord = 0x002f

import { ConversionFailed, failed } from '../../failure.ts'
import { readZipPackage } from '../../package/read-package.ts'
import type { Findings } from '../../report/findings.ts'
import { type FormatName, formats } from '../formats.ts'
import { isLockedIwork, iworkFormat, iworkParts } from './iwork.ts'
import { looksLikeMail, mayBeMail } from './mail.ts'
import {
  flatFormat,
  hasLockedText,
  manifestMimeType,
  mimeTypeFormat,
  ooxmlFormat,
} from './office-packages.ts'
import { isOle, readOleRoot } from './ole.ts'
import { packageFindings, partsWithFindings } from './package-findings.ts'
import { isZip, type Upload } from './upload.ts'
import { hasEncryptionRecord, isPowerPoint95 } from './variant.ts'
import { detectVideo } from './video-containers.ts'

// The format of a file, independent of its name. Returns the format, or a description for people when the service has
// no such format. Throws when the file is encrypted, damaged or a decompression bomb.

export type DetectedType = { format: FormatName; seen?: Findings } | { other: string }

/** A file with a password is taken for `locked`, where the caller has that password. */
export async function detectFileType(upload: Upload, locked?: FormatName): Promise<DetectedType> {
  const { head } = upload
  if (isZip(head)) return recognizeZip(upload, locked)
  if (isOle(head)) return recognizeOle(upload, locked)
  if (/^\uFEFF?\s*\{\\rtf/.test(head.toString('utf8', 0, 64))) return { format: 'rtf' }
  if (looksLikeMail(head)) return { format: 'eml' }
  if (head.subarray(0, 1024).includes('%PDF')) return { format: 'pdf' }
  if (isWordPerfect(head)) {
    if (isWordPerfectLocked(head)) throw passwordWithoutOption()
    return { format: 'wpd' }
  }
  const flat = await recognizeFlat(upload)
  if (flat) return flat
  const video = detectVideo(head)
  if (video) return { format: video }
  const extension = await magicExtension(head)
  const picture = pictures[extension ?? (isTiff(head) ? 'tif' : '')]
  if (picture) return { format: picture }
  if (!extension && mayBeMail(head)) return { format: 'eml' }
  return { other: extension ? `of the type ${extension.toUpperCase()}` : 'something else' }
}

/** By file-type's extensions. `isTiff` covers TIFF files that file-type does not detect. */
const pictures: Readonly<Record<string, FormatName | undefined>> = {
  png: 'png',
  apng: 'png',
  jpg: 'jpg',
  tif: 'tiff',
  webp: 'webp',
}
const isTiff = (head: Buffer): boolean => /^(?:II[*+]\0|MM\0[*+])/.test(head.toString('latin1', 0, 4))

/** OpenDocument as one XML file. */
async function recognizeFlat(upload: Upload): Promise<DetectedType | undefined> {
  const format = flatFormat(upload.head.toString('utf8'))
  if (!format) return undefined
  // Macros come before the content; only a thumbnail of the first page may precede them.
  const start = await upload.read(0, flatHeadBytes)
  return { format, seen: { leftOut: { macros: start.includes('<ooo:module ') ? 1 : 0 } } }
}

const flatHeadBytes = 4 * 1024 * 1024

const packageParts = [
  '[content_types].xml',
  'mimetype',
  'meta-inf/manifest.xml',
  'meta-inf/encryption.xml',
  'meta-inf/container.xml',
]

async function recognizeZip(upload: Upload, locked?: FormatName): Promise<DetectedType> {
  const zip = await readZipPackage(upload, { wanted: [...packageParts, ...iworkParts, ...partsWithFindings] })
  if (zip.encrypted) throw passwordProtected()
  const manifest = zip.parts.get('meta-inf/manifest.xml') ?? ''
  const contentTypes = zip.parts.get('[content_types].xml')
  const ooxml = contentTypes === undefined ? undefined : ooxmlFormat(contentTypes)
  if (ooxml) return { format: ooxml, seen: packageFindings(zip, ooxml) }
  const named = mimeTypeFormat(zip.parts.get('mimetype') ?? manifestMimeType(manifest) ?? '')
  const format = named ?? (zip.parts.has('meta-inf/container.xml') ? 'epub' : undefined)
  if (format === 'epub') {
    if (hasLockedText(zip.parts.get('meta-inf/encryption.xml') ?? '')) {
      throw failed.passwordProtected('The book is locked by copy protection (DRM). Upload a copy without it.')
    }
    return { format, seen: packageFindings(zip, format) }
  }
  if (format) {
    if (/<(?:\w+:)?encryption-data\b/.test(manifest)) {
      if (locked) return { format }
      throw passwordProtected()
    }
    return { format, seen: packageFindings(zip, format) }
  }
  if (isLockedIwork(zip)) throw passwordWithoutOption()
  const iwork = await iworkFormat(zip, upload)
  return iwork ? { format: iwork } : { other: 'a ZIP archive of another kind' }
}

const passwordProtected = () =>
  failed.passwordProtected(
    'The document is protected by a password. Remove the password and upload it again.',
  )

const passwordWithoutOption = (): Error =>
  failed.passwordProtected(
    'The document is protected by a password, which cannot be given for this format. Remove the password and upload it again.',
  )

const rightsManaged = () =>
  failed.unsupported(
    'This kind of encryption is not supported: the document is protected by rights management. Save a copy without the protection and upload that.',
  )

export const needsPassword = (): Error =>
  failed.passwordProtected(
    'The document is protected by a password. Remove the password and upload it again, or give it in the option `password`.',
  )

/** Whether it is password-protected, as far as that is visible without the password. */
export const isLocked = (upload: Upload): Promise<boolean> =>
  detectFileType(upload).then(
    () => false,
    (error: unknown) => error instanceof ConversionFailed && error.word === 'password-protected',
  )

async function recognizeOle(upload: Upload, locked?: FormatName): Promise<DetectedType> {
  const { streams, folders } = await readOleRoot(upload)
  const seen: Findings = {
    leftOut: { macros: folders.has('Macros') || folders.has('_VBA_PROJECT_CUR') ? 1 : 0 },
  }
  if (streams.has('\tDRMContent')) throw rightsManaged()
  // Which kind of document is inside is known after decryption.
  if (streams.has('EncryptedPackage')) {
    if (locked) return { format: locked, seen: { isEncrypted: true } }
    throw passwordProtected()
  }
  const word = streams.get('WordDocument')
  if (word) {
    // The file information block: flag fEncrypted is bit 8 of the word at offset 10.
    const fib = await word.start(12)
    const isLocked = fib.length >= 12 && (fib.readUInt16LE(10) & 0x0100) !== 0
    if (isLocked && !locked) throw passwordProtected()
    // Those of before Word 97 are left to LibreOffice.
    return { format: 'doc', seen: { ...seen, isEncrypted: isLocked && fib.readUInt16LE(2) >= 193 } }
  }
  const workbook = streams.get('Workbook') ?? streams.get('Book')
  if (workbook) {
    // A write-protected workbook is encrypted with a well-known password, so without a password only the engine can
    // decide: see isEncryptedWorkbook.
    const isEncrypted = locked !== undefined && (await hasEncryptionRecord(workbook))
    return { format: 'xls', seen: { ...seen, isEncrypted } }
  }
  if (isPowerPoint95(streams)) return { format: 'ppt', seen }
  if (streams.has('PowerPoint Document')) {
    // CurrentUserAtom: its token indicates whether the document is encrypted.
    const user = await streams.get('Current User')?.start(16)
    const hasToken = user && user.length >= 16 && user.readUInt32LE(12) === 0xf3d1c4df
    const isEncrypted = hasToken || streams.has('EncryptedSummary')
    if (isEncrypted && !locked) throw passwordProtected()
    return { format: 'ppt', seen: { ...seen, isEncrypted } }
  }
  if (streams.has('__properties_version1.0')) return { format: 'msg' }
  if (streams.has('VisioDocument')) return { format: 'vsd', seen }
  const contents = await streams.get('Contents')?.start(4)
  if (contents?.toString('hex').startsWith(publisherMark)) return { format: 'pub', seen }
  return { other: 'an OLE container of another kind' }
}

/** How the contents of a Publisher file begin; the version comes behind. */
const publisherMark = 'e8ac'

/** For sentences: `a DOCX file`, `an ODT file`. */
export function describe(found: DetectedType): string {
  if ('other' in found) return found.other
  const { label } = formats[found.format]
  return `${/^[AEFHILMNORSX](?=[A-Z])/.test(label) ? 'an' : 'a'} ${label} file`
}

/** The file name extension that the magic bytes indicate, such as `png`; undefined when they are unknown. */
async function magicExtension(head: Buffer): Promise<string | undefined> {
  // Imported on demand, because it is rarely needed and takes as long to load as all other detection code.
  const { fileTypeFromBuffer } = await import('file-type')
  // It throws on some cut-off files; then their kind is simply not known.
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found?.ext
}

// WordPerfect files begin with a header of 16 bytes: a mark, where the document begins, the product, the type of file,
// its version, and a checksum of the password, which is 0 without one.

const wordPerfectMark = Buffer.from('\xffWPC', 'latin1')
/** Documents for DOS and Windows, and those for the Mac. Other types are graphics, macros, settings. */
const wordPerfectTypes: readonly (number | undefined)[] = [0x0a, 0x2c]

const isWordPerfect = (head: Buffer): boolean =>
  head.length >= 16 && head.subarray(0, 4).equals(wordPerfectMark) && wordPerfectTypes.includes(head[9])

const isWordPerfectLocked = (head: Buffer): boolean => head.readUInt16LE(12) !== 0

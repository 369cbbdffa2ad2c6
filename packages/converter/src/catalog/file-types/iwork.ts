import { failed } from '../../failure.ts'
import type { Archive, RandomAccess } from '../../package/archive.ts'
import { openPackage, type ZipPackage } from '../../package/read-package.ts'
import type { FormatName } from '../formats.ts'
import { iwaObjects, unpackIwa } from './iwa.ts'
import { type Upload, uploadOf } from './upload.ts'

// Documents of Apple's Pages, Numbers and Keynote. Up to 2009 one XML file, whose root element names the program; since
// 2013 binary objects, of which the first is the document.

/** The programs change their format from version to version, and LibreOffice follows late. */
export const unknownVersion = (cause: unknown): Error =>
  failed.unsupported(
    'The document is damaged, or of a version of its program that LibreOffice does not read. Export it from the program as PDF, Word, Excel or PowerPoint.',
    cause,
  )

export const isIwork = (from: FormatName): boolean => ['pages', 'numbers', 'key'].includes(from)

/** By lower-case name. */
export const iworkParts: readonly string[] = ['index.xml']

/** With a password the parts stay where they are, and are encrypted. */
export const isLockedIwork = ({ names }: ZipPackage): boolean => names.has('.iwph') || names.has('.iwpv2')

const documentName = 'Index/Document.iwa'
const pagesDocument = 10_000
/** The first object is at the start of the file. */
const startBytes = 64 * 1024
const maxIndexBytes = 64 * 1024 * 1024

export async function iworkFormat(zip: ZipPackage, upload: Upload): Promise<FormatName | undefined> {
  const { names, parts } = zip
  if (names.has(documentName) || names.has(indexName)) return openIndex(upload, binaryFormat)
  if ([...names].some((name) => /^(?:index|presentation)\.apxl(?:\.gz)?$/.test(name))) return 'key'
  const root = /<(sl|ls):document\s/.exec(parts.get('index.xml')?.slice(0, 2000) ?? '')?.[1]
  if (root === undefined) return undefined
  return root === 'sl' ? 'pages' : 'numbers'
}

const indexName = 'Index.zip'

/** The archive with the objects: the document itself, or one inside it. */
export const openIndex = <T>(upload: RandomAccess, use: (archive: Archive) => Promise<T>): Promise<T> =>
  openPackage(upload, async (archive) => {
    const inner = archive.entries.find(({ name }) => name === indexName)
    const bytes = inner && (await archive.readEntry(inner, maxIndexBytes))
    return bytes ? openPackage(uploadOf(bytes), use) : use(archive)
  })

async function binaryFormat({ entries, readEntry }: Archive): Promise<FormatName | undefined> {
  if (entries.some(({ name }) => /^Index\/(?:Master|Template)?Slide[^/]*\.iwa$/.test(name))) return 'key'
  const entry = entries.find(({ name }) => name === documentName)
  const packed = entry && (await readEntry(entry, startBytes))
  if (!packed) return undefined
  const { done, value } = iwaObjects(unpackIwa(packed, startBytes)).next()
  if (done) return undefined
  return value.type === pagesDocument ? 'pages' : 'numbers'
}

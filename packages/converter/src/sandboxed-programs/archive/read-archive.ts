import { decodeStrictly } from '../../catalog/encoding/decode-strictly.ts'
import { withUpload } from '../../catalog/file-types/upload.ts'
import { ConversionFailed, failed } from '../../failure.ts'
import { type ArchiveEntry, openArchive } from '../../package/archive.ts'

/** The files of an archive by their paths. How much they unpack to was counted before (package/read-package.ts). */
export async function readArchive(path: string): Promise<Map<string, Buffer>> {
  try {
    const files = await unpack(path)
    refuseDoubles(files.map(([place]) => place))
    return new Map(files)
  } catch (error) {
    if (error instanceof ConversionFailed) throw error
    throw failed.corruptInput('The ZIP archive is damaged. Pack the folder of the document again.', error)
  }
}

const unpack = (path: string): Promise<[string, Buffer][]> =>
  withUpload(path, async (upload) => {
    const archive = await openArchive(upload)
    const files: [string, Buffer][] = []
    for (const entry of archive.entries) {
      const name = nameOf(entry)
      if (/[/\\]$/.test(name) || isLink(entry)) continue
      const place = safePath(name)
      if (isExtra(place)) continue
      const content = entry.header.isEncrypted()
        ? undefined
        : await archive.readEntry(entry, Number.POSITIVE_INFINITY)
      if (!content)
        throw failed.unsupported(
          'A file in the ZIP archive is packed in a way that is not read. Pack the folder again as an ordinary ZIP.',
        )
      if (content.length !== entry.header.uncompressedSize)
        throw new Error(`${content.length} bytes in place of ${entry.header.uncompressedSize}`)
      files.push([place, content])
    }
    return files
  })

/** Many programs write UTF-8 without declaring it. What is not UTF-8 the library has decoded. */
const nameOf = ({ name, header }: ArchiveEntry): string => decodeStrictly(header.fileNameRaw, 'utf-8') ?? name

/** The target of a symbolic link is a path that was not checked. The Unix mode is in the upper half. */
const isLink = ({ header }: ArchiveEntry): boolean =>
  ((header.externalFileAttributes >>> 16) & 0o170000) === 0o120000

// The paths of an archive's files, as they may be written below a folder. An archive with a path that leads out of it
// is refused as a whole: such names are not created by mistake.

const longestPath = 1000
const longestName = 255

export function safePath(name: string): string {
  const path = name.replaceAll('\\', '/')
  const parts = path.split('/').filter((part) => part !== '.' && part !== '')
  const leadsOut = path.startsWith('/') || /^[A-Za-z]:/.test(path) || parts.includes('..')
  const isLong =
    Buffer.byteLength(path) > longestPath || parts.some((part) => Buffer.byteLength(part) > longestName)
  if (leadsOut || isLong || parts.length === 0 || /\p{Cc}/u.test(path))
    throw failed.corruptInput(
      'The ZIP archive contains a file whose path leads out of it or is invalid. Pack the folder of the document again.',
    )
  return parts.join('/')
}

/** Files that macOS adds to archives, and hidden files, are not part of a document. */
const isExtra = (path: string): boolean =>
  path.split('/').some((part) => part === '__MACOSX' || part.startsWith('.'))

/** No path twice, and none that is a file and a folder. */
function refuseDoubles(paths: readonly string[]): void {
  const files = new Set(paths)
  const folders = new Set(paths.flatMap(foldersOf))
  if (files.size < paths.length || paths.some((path) => folders.has(path)))
    throw failed.corruptInput(
      'The ZIP archive holds two files of the same name. Pack the folder of the document again.',
    )
}

const foldersOf = (path: string): string[] => {
  const parts = path.split('/')
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'))
}

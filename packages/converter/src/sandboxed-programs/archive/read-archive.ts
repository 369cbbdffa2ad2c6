import { decodeStrictly } from '../../catalog/encoding/decode-strictly.ts'
import { withUpload } from '../../catalog/file-types/upload.ts'
import { ConversionFailed, failed } from '../../failure.ts'
import { type ArchiveEntry, openArchive } from '../../package/archive.ts'
import { isExtra, refuseDoubles, safePath } from './safe-paths.ts'

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

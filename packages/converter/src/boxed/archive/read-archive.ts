import { buffer } from 'node:stream/consumers'
import { type Entry, getFileNameLowLevel, openPromise } from 'yauzl'
import { ConversionFailed, failed } from '../../failure.ts'
import { isExtra, refuseDoubles, safePath } from './safe-paths.ts'

/** The files of an archive by their paths. How much they unpack to was counted before (catalog/sniff/zip-package.ts). */
export async function readArchive(path: string): Promise<Map<string, Buffer>> {
  try {
    const files = await unpack(path)
    refuseDoubles(files.map(([place]) => place))
    return new Map(files)
  } catch (error) {
    if (error instanceof ConversionFailed) throw error
    throw failed.corruptInput('The ZIP archive is damaged. Pack the folder of the document anew.', error)
  }
}

async function unpack(path: string): Promise<[string, Buffer][]> {
  const zip = await openPromise(path, { decodeStrings: false, autoClose: false })
  const files: [string, Buffer][] = []
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry)
      if (/[/\\]$/.test(name) || isLink(entry)) continue
      const place = safePath(name)
      if (isExtra(place)) continue
      if (!entry.canDecodeFileData())
        throw failed.unsupported(
          'A file in the ZIP archive is packed in a way that is not read. Pack the folder anew as an ordinary ZIP.',
        )
      files.push([place, await buffer(await zip.openReadStreamPromise(entry))])
    }
  } finally {
    zip.close()
  }
  return files
}

/** Many programs write UTF-8 without saying so. */
function nameOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fileNameRaw)
  } catch {
    return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
  }
}

/** A link would be a path that nobody checked. The mode of Unix is in the upper half. */
const isLink = ({ externalFileAttributes }: Entry): boolean =>
  ((externalFileAttributes >>> 16) & 0o170000) === 0o120000

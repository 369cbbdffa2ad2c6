import { rename } from 'node:fs/promises'
import type { ArchiveEntry } from '../../package/archive.ts'
import { openPackage } from '../../package/read-package.ts'
import { rewriteArchive } from '../../package/rewrite-archive.ts'
import { isZip, withUpload } from './upload.ts'

// Pages, Numbers and Keynote can save a document as a folder, which Finder shows as one file. It arrives as a ZIP archive
// of that folder, with Finder's own files beside it. LibreOffice reads the archive of its contents.

const mainPart =
  /^([^/]+\/)(?:Index\/Document\.iwa|Index\.zip|index\.xml|(?:index|presentation)\.apxl(?:\.gz)?)$/
const ofFinder = /^__MACOSX\/|(?:^|\/)\.DS_Store$/

/** Rewrites the file if it is the archive of one such folder. */
export async function unwrapIwork(path: string): Promise<void> {
  const draft = `${path}.unwrapped`
  const isUnwrapped = await withUpload(
    path,
    async (upload) =>
      isZip(upload.head) &&
      openPackage(upload, async (archive) => {
        const entries = contentsOfFolder(archive.entries.filter(({ name }) => !ofFinder.test(name)))
        return entries !== undefined && rewriteArchive({ ...archive, entries }, draft, new Map())
      }),
  )
  if (isUnwrapped) await rename(draft, path)
}

function contentsOfFolder(entries: readonly ArchiveEntry[]): ArchiveEntry[] | undefined {
  const folder = entries.map(({ name }) => mainPart.exec(name)?.[1]).find((found) => found !== undefined)
  if (folder === undefined || !entries.every(({ name }) => name.startsWith(folder))) return undefined
  return entries.filter(({ name }) => name !== folder).map((entry) => withoutFolder(entry, folder))
}

function withoutFolder({ name, header }: ArchiveEntry, folder: string): ArchiveEntry {
  const fileNameRaw = header.fileNameRaw.subarray(header.fileNameRaw.indexOf('/') + 1)
  return { name: name.slice(folder.length), header: Object.assign(Object.create(header), { fileNameRaw }) }
}

import { constants } from 'node:fs'
import { rename } from 'node:fs/promises'
import { withUpload } from '../../catalog/file-types/upload.ts'
import { type Archive, openArchive } from '../../package/archive.ts'
import { rewriteArchive } from '../../package/rewrite-archive.ts'

// Under `--sandbox` pandoc has no clock and dates its packages 1970-01-01, which a word processor then shows as the
// document's date. The part with the dates is replaced.
//
// Pandoc also copies every picture of a reference document, those of its body too. Pictures that nothing in the new
// document refers to are removed.
//
// The package is untrusted, as everything that comes out of the sandbox: symbolic links are not followed.

const unset = '1970-01-01T00:00:00Z'
const datedParts = new Set(['docProps/core.xml', 'meta.xml', 'EPUB/content.opf', 'content.opf'])
const maxPartBytes = 1024 * 1024
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

export async function stampDates(path: string, now = new Date()): Promise<void> {
  const draft = `${path}.dated`
  const isStamped = await withUpload(
    path,
    async (upload) => {
      const archive = await openArchive(upload)
      const entry = archive.entries.find(({ name }) => datedParts.has(name))
      if (!entry) return false
      const text = (await archive.readEntry(entry, maxPartBytes))?.toString('utf8')
      if (!text?.includes(unset) || text.length >= maxPartBytes) return false
      const dated = text.replaceAll(unset, `${now.toISOString().slice(0, 19)}Z`)
      const entries = await withoutUnusedPictures(archive)
      return rewriteArchive({ ...archive, entries }, draft, new Map([[entry.name.toLowerCase(), dated]]))
    },
    flags,
  )
  if (isStamped) await rename(draft, path)
}

const picture = /^word\/(media\/.+)$/
const relationships = /^word\/_rels\/[^/]+\.rels$/

async function withoutUnusedPictures(archive: Archive): Promise<Archive['entries']> {
  if (!archive.entries.some(({ name }) => picture.test(name))) return archive.entries
  let targets = ''
  for (const entry of archive.entries.filter(({ name }) => relationships.test(name)))
    targets += (await archive.readEntry(entry, maxPartBytes))?.toString('utf8') ?? ''
  return archive.entries.filter(({ name }) => {
    const target = picture.exec(name)?.[1]
    return target === undefined || targets.includes(`"${target}"`) || targets.includes(`"/word/${target}"`)
  })
}

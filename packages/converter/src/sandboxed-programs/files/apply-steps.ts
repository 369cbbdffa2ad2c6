import { readFile } from 'node:fs/promises'
import { makeArchival } from './archival.ts'
import { readBookmarks, shifted, writeBookmarks } from './bookmarks.ts'
import { embedFiles } from './embed.ts'
import { addMarks } from './marks.ts'
import { readMetadata, writeMetadata } from './metadata.ts'
import { countPages, nextPath, qpdf, refuseWrongPageCount, transform } from './qpdf.ts'
import type { Bookmark, FileSteps, SetFile } from './steps.ts'

// The steps in their order. Each makes a new version of every PDF; the last one opens what came out.

export async function applySteps(
  steps: FileSteps,
  pdfaFolder: string,
): Promise<{ name: string; data: Buffer }[]> {
  let files = steps.files.map(({ path, name }) => ({ path: `work/${path}`, name }))
  for (const { path } of files) await refuseWrongPageCount(path)
  if (steps.merge) files = [await merge(files, steps.merge, steps.bookmarks)]
  const { split: how } = steps
  if (how) files = (await Array.fromAsync(files, (file) => split(file, how))).flat()
  const results: { name: string; data: Buffer }[] = []
  for (const { path, name } of files) {
    const result = await applyToOne(path, name, steps, pdfaFolder)
    await qpdf('--check', ...passwordOf(steps), result)
    results.push({ name, data: await readFile(result) })
  }
  return results
}

const passwordOf = ({ encrypt }: FileSteps): string[] =>
  encrypt ? [`--password=${encrypt.owner || encrypt.user}`] : []

async function applyToOne(path: string, name: string, steps: FileSteps, pdfaFolder: string): Promise<string> {
  let current = path
  const { rotate, watermarks, stamps, bookmarks, metadata, embeds, encrypt } = steps
  if (rotate) current = await transform(current, `--rotate=+${rotate.angle}:${rotate.pages || '1-z'}`)
  if (watermarks) current = await addMarks(current, watermarks, 'underlay')
  if (stamps) current = await addMarks(current, stamps, 'overlay')
  if (steps.flatten) current = await transform(current, '--generate-appearances', '--flatten-annotations=all')
  const own = Array.isArray(bookmarks) ? bookmarks : bookmarks?.[name]
  if (own) current = await writeBookmarks(current, own)
  if (metadata) current = await writeMetadata(current, metadata)
  if (embeds && embeds.length > 0) current = await embedFiles(current, embeds)
  if (steps.archive) current = await makeArchival(current, steps.archive, pdfaFolder)
  if (encrypt) current = await lock(current, encrypt)
  // An uploaded file to which nothing was done is still read once.
  const isUploaded = !steps.merge && !steps.split
  return isUploaded && current === path ? transform(current) : current
}

async function lock(
  path: string,
  { user, owner, denied }: NonNullable<FileSteps['encrypt']>,
): Promise<string> {
  return transform(path, '--encrypt', user, owner || user, '256', ...denied, '--')
}

/** Bookmarks may be given for the whole, or by the name of each file, and then count from its first page. */
async function merge(
  files: readonly SetFile[],
  { name, indexBookmarks, titleBookmarks }: NonNullable<FileSteps['merge']>,
  given: FileSteps['bookmarks'],
): Promise<SetFile> {
  const target = nextPath()
  await qpdf('--empty', '--pages', ...files.map(({ path }) => path), '--', target)
  const byFile = Array.isArray(given) ? undefined : given
  const index: Bookmark[] = []
  let before = 0
  for (const { path, name: fileName } of Array.isArray(given) ? [] : files) {
    const own = byFile?.[fileName] ?? (indexBookmarks || titleBookmarks ? await readBookmarks(path) : [])
    const moved = shifted(own, before)
    if (titleBookmarks)
      index.push({ title: await titleOf(path, fileName), page: before + 1, ...childrenOf(moved) })
    else index.push(...moved)
    before += await countPages(path)
  }
  return { path: index.length > 0 ? await writeBookmarks(target, index) : target, name }
}

const childrenOf = (bookmarks: Bookmark[]) => (bookmarks.length > 0 ? { children: bookmarks } : {})

async function titleOf(path: string, name: string): Promise<string> {
  const { Title } = await readMetadata(path)
  return typeof Title === 'string' && Title !== '' ? Title : name.replace(/\.pdf$/i, '')
}

async function split({ path, name }: SetFile, how: NonNullable<FileSteps['split']>): Promise<SetFile[]> {
  const pick = (pages: string) => transform(path, '--pages', '.', pages, '--')
  if (how.mode === 'pages' && how.unify) return [{ path: await pick(ranged(how.ranges)), name }]
  const pages = await countPages(path)
  const parts =
    how.mode === 'intervals'
      ? Array.from({ length: Math.ceil(pages / how.span) }, (_, index) => {
          const first = index * how.span + 1
          return `${first}-${Math.min(pages, first + how.span - 1)}`
        })
      : pagesIn(how.ranges, pages).map(String)
  const stem = name.replace(/\.pdf$/i, '')
  // One part at a time: a sandbox may run only so many programs at once. All at once, with qpdf's --split-pages, they
  // would lose their structure.
  return Array.fromAsync(parts, async (part, index) => ({
    path: await pick(part),
    name: `${stem}_${index}.pdf`,
  }))
}

/** An open range ends at the last page. */
const ranged = (ranges: string): string => ranges.replaceAll(/-(?=,|$)/g, '-z')

function pagesIn(ranges: string, pages: number): number[] {
  const pageOf = (text: string, otherwise: number) => (text === 'z' ? pages : Number(text || otherwise))
  return ranges.split(',').flatMap((range) => {
    const [first = '', last = first] = range.split('-')
    const [from, to] = [pageOf(first, 1), pageOf(last, pages)]
    return Array.from({ length: Math.max(0, Math.min(to, pages) - from + 1) }, (_, index) => from + index)
  })
}

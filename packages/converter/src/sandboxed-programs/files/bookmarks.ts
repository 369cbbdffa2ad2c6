import { openObjects, type PdfDictionary, qpdf } from './qpdf.ts'
import type { Bookmark } from './steps.ts'

interface Outline {
  title: string
  destpageposfrom1: number | null
  kids: Outline[]
}

export async function readBookmarks(path: string): Promise<Bookmark[]> {
  const { outlines } = JSON.parse(await qpdf('--json=2', '--json-key=outlines', path)) as {
    outlines: Outline[]
  }
  return outlines.map(toBookmark)
}

const toBookmark = ({ title, destpageposfrom1, kids }: Outline): Bookmark => ({
  title,
  page: destpageposfrom1 ?? 0,
  ...(kids.length > 0 ? { children: kids.map(toBookmark) } : {}),
})

export const shifted = (bookmarks: readonly Bookmark[], pages: number): Bookmark[] =>
  bookmarks.map(({ title, page, children }) => ({
    title,
    page: page + pages,
    ...(children ? { children: shifted(children, pages) } : {}),
  }))

/** Replaces the outline of the document. */
export async function writeBookmarks(path: string, bookmarks: readonly Bookmark[]): Promise<string> {
  const objects = await openObjects(path)
  const { pages } = JSON.parse(await qpdf('--json=2', '--json-key=pages', path)) as {
    pages: { object: string }[]
  }
  const root = objects.trailer['/Root'] as string
  const outline = objects.add({})
  const place = (list: readonly Bookmark[], parent: string): PdfDictionary => {
    const references = list.map(() => objects.add({}))
    for (const [index, { title, page, children = [] }] of list.entries()) {
      const own = references[index] as string
      const target = pages[Math.min(Math.max(page, 1), pages.length) - 1]?.object ?? null
      objects.change(own, {
        '/Title': `u:${title}`,
        '/Parent': parent,
        '/Dest': [target, '/Fit'],
        ...(index > 0 ? { '/Prev': references[index - 1] as string } : {}),
        ...(index < list.length - 1 ? { '/Next': references[index + 1] as string } : {}),
        ...place(children, own),
      })
    }
    if (references.length === 0) return {}
    return { '/First': references[0] as string, '/Last': references.at(-1) as string, '/Count': list.length }
  }
  objects.change(outline, { '/Type': '/Outlines', ...place(bookmarks, outline) })
  objects.change(root, { ...(await objects.read(root)), '/Outlines': outline })
  return objects.save()
}

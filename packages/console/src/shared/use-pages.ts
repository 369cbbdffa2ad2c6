import { useState } from 'preact/hooks'
import { call } from './api.ts'
import { useData } from './use-data.ts'

export interface Pages<Item> {
  /** Null until the first answer. */
  items: Item[] | null
  error: string | null
  /** Null when there are no older ones. */
  loadOlder: (() => Promise<void>) | null
}

export interface PagesOptions<Page extends { next: unknown }, Item> {
  path: string
  everyMilliseconds: number
  itemsOf: (page: Page) => Item[]
  /** The query of the page after the one with this `next`. */
  queryAfter?: (next: NonNullable<Page['next']>) => string
}

/**
 * A list, the latest first, whose first page is reloaded periodically and whose older pages are loaded on demand. Items
 * that were on the first page when an older one was requested stay in the list, so that none is lost between the pages
 * when new items arrive; when an item occurs twice, the newer version is used.
 */
export function usePages<Page extends { next: unknown }, Item extends { id: string | number }>({
  path,
  everyMilliseconds,
  itemsOf,
  queryAfter = (next) => `before=${next}`,
}: PagesOptions<Page, Item>): Pages<Item> {
  const first = useData<Page>(path, everyMilliseconds)
  const [older, setOlder] = useState<{ path: string; pages: Page[]; error: string | null }>({
    path,
    pages: [],
    error: null,
  })
  const { pages, error } = older.path === path ? older : { pages: [], error: null }
  const last = pages.at(-1) ?? first.data
  const next = last?.next ?? null
  const loadOlder = async () => {
    if (next === null || first.data === null) return
    const before = pages.length > 0 ? pages : [first.data]
    await call<Page>(`${path}${path.includes('?') ? '&' : '?'}${queryAfter(next)}`).then(
      (page) => setOlder({ path, pages: [...before, page], error: null }),
      (failure: Error) => setOlder({ path, pages, error: failure.message }),
    )
  }
  const seen = new Map<Item['id'], Item>()
  for (const page of first.data === null ? [] : [first.data, ...pages]) {
    for (const item of itemsOf(page)) if (!seen.has(item.id)) seen.set(item.id, item)
  }
  return {
    items: first.data === null ? null : [...seen.values()],
    error: error ?? first.error,
    loadOlder: next === null ? null : loadOlder,
  }
}

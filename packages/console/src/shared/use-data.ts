import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { CallFailed, call } from './api.ts'

export interface Loaded<T> {
  data: T | null
  error: string | null
  reload(): void
}

/**
 * Loads a path, and reloads it periodically while the page is visible. Old data stays until new data arrives; responses
 * for an earlier path are ignored.
 */
export function useData<T>(path: string, everyMilliseconds: number | null = null): Loaded<T> {
  const [state, setState] = useState<{ path: string; data: T | null; error: string | null }>({
    path,
    data: null,
    error: null,
  })
  const wanted = useRef(path)
  wanted.current = path

  const load = useCallback(async () => {
    try {
      const data = await call<T>(path)
      if (wanted.current === path) setState({ path, data, error: null })
    } catch (error) {
      if (wanted.current !== path || !(error instanceof CallFailed)) return
      const { message } = error
      setState((before) => ({ path, data: before.path === path ? before.data : null, error: message }))
    }
  }, [path])

  useEffect(() => {
    let stopped = false
    let timer = 0
    const round = async () => {
      if (!document.hidden) await load()
      if (!stopped && everyMilliseconds !== null) timer = window.setTimeout(round, everyMilliseconds)
    }
    void round()
    const onVisible = () => {
      if (!document.hidden) void load()
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      stopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [load, everyMilliseconds])

  return {
    // While another period or filter loads, the previous data stays visible.
    data: state.data,
    error: state.path === path ? state.error : null,
    reload: () => void load(),
  }
}

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

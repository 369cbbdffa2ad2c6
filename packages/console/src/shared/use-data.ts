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

import { useCallback, useEffect, useState } from 'preact/hooks'
import { call, send, whenSignedOut } from '../shared/api.ts'

// The session of the user.

export interface Visitor {
  isGuest: boolean
  userName: string | null
  accountName: string
  /** The largest file; null when the pair decides. */
  maxBytes: number | null
  canSignOut: boolean
}

export interface SessionState {
  guestAccess: boolean
  visitor: Visitor | null
}

export interface Session {
  /** Null while it loads. */
  state: SessionState | null
  error: string | null
  reload: () => Promise<void>
  signOut: () => Promise<void>
}

export function useSession(): Session {
  const [state, setState] = useState<SessionState | null>(null)
  const [error, setError] = useState<string | null>(null)
  const reload = useCallback(async () => {
    try {
      let found = await call<SessionState>('/session')
      if (!found.visitor && found.guestAccess && location.pathname === '/') {
        await send('/guest')
        found = await call<SessionState>('/session')
      }
      setState(found)
      setError(null)
    } catch (failure) {
      setError((failure as Error).message)
    }
  }, [])
  useEffect(() => {
    whenSignedOut(() => setState((before) => before && { ...before, visitor: null }))
    void reload()
  }, [reload])
  const signOut = async () => {
    await send('/sign-out')
    location.assign('/sign-in')
  }
  return { state, error, reload, signOut }
}

import { useEffect, useState } from 'preact/hooks'
import { CallFailed, call, send, whenSignedOut } from '../shared/api.ts'
import { Button } from '../shared/parts/button.tsx'
import { Mark } from '../shared/parts/mark.tsx'
import { AccountPage } from './pages/account.tsx'
import { AccountsPage } from './pages/accounts.tsx'
import { JobPage } from './pages/job.tsx'
import { JobsPage } from './pages/jobs.tsx'
import { OverviewPage } from './pages/overview.tsx'
import { SignInPage } from './pages/sign-in.tsx'
import { Link, type Route, useRoute } from './router.tsx'
import type { SessionInfo } from './types.ts'

type SignedIn = { session: SessionInfo } | { session: null; message: string | null }

export function App() {
  const route = useRoute()
  const [state, setState] = useState<SignedIn | null>(null)

  const look = async () => {
    try {
      setState({ session: await call<SessionInfo>('/session') })
    } catch (error) {
      const isSignedOut = error instanceof CallFailed && error.status === 401
      setState({ session: null, message: isSignedOut ? null : (error as Error).message })
    }
  }
  useEffect(() => {
    void look()
  }, [])
  useEffect(
    () =>
      whenSignedOut(() =>
        setState((before) => ({
          session: null,
          message: before?.session ? 'Your session has ended. Sign in again.' : null,
        })),
      ),
    [],
  )

  if (state === null) return <p class="loading muted">Loading…</p>
  if (state.session === null) return <SignInPage message={state.message} onSignedIn={look} />
  const signOut = async () => {
    // Without the service the session ends on this side only, and by its time limit on the other.
    await send('/sign-out').catch(() => {})
    setState({ session: null, message: null })
  }
  return (
    <div class="shell">
      <Menu path={route.path} onSignOut={signOut} />
      <main id="content">
        <Page route={route} session={state.session} />
      </main>
    </div>
  )
}

const entries = [
  ['/', 'Overview'],
  ['/jobs', 'Jobs'],
  ['/accounts', 'Accounts'],
] as const

function Menu({ path, onSignOut }: { path: string; onSignOut: () => void }) {
  const isCurrent = (to: string) => (to === '/' ? path === '/' : path.startsWith(to))
  return (
    <header class="menu">
      <Link to="/" class="brand">
        <Mark />
        <span>Kiln</span>
      </Link>
      <nav aria-label="Console">
        {entries.map(([to, name]) => (
          <Link key={to} to={to} {...(isCurrent(to) ? { 'aria-current': 'page' as const } : {})}>
            {name}
          </Link>
        ))}
      </nav>
      <div class="menu-end">
        <a href="/">Public page</a>
        <Button kind="quiet small" text="Sign out" onClick={onSignOut} />
      </div>
    </header>
  )
}

function Page({ route, session }: { route: Route; session: SessionInfo }) {
  const { path } = route
  const id = path.split('/')[2]
  if (path === '/') return <OverviewPage route={route} />
  if (path === '/jobs') return <JobsPage route={route} pairs={session.pairs} />
  if (path.startsWith('/jobs/') && id) return <JobPage key={id} id={id} />
  if (path === '/accounts') return <AccountsPage route={route} />
  if (path.startsWith('/accounts/') && id) return <AccountPage key={id} id={id} />
  return (
    <section class="empty">
      <h1>There is nothing here</h1>
      <p>
        <Link to="/">Back to the overview</Link>
      </p>
    </section>
  )
}

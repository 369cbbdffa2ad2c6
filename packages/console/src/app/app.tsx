import { useEffect } from 'preact/hooks'
import { Button } from '../shared/parts/button.tsx'
import { Fault } from '../shared/parts/card.tsx'
import { Mark } from '../shared/parts/mark.tsx'
import { useAction } from '../shared/use-action.ts'
import { ConvertPage } from './convert/convert-page.tsx'
import { InvitationPage } from './invitation.tsx'
import { lazy } from './lazy.tsx'
import { type Session, useSession } from './session.ts'
import { SignInPage } from './sign-in.tsx'

const AccountPage = lazy(() => import('./account.tsx').then((module) => module.AccountPage))

export function App() {
  const session = useSession()
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Header session={session} />
      <main id="content">
        <Page session={session} />
      </main>
      <footer class="bottom">
        <div class="page-width">
          <span>Files are deleted from the server within about an hour.</span>
          <a href="/developers">For developers</a>
        </div>
      </footer>
    </>
  )
}

function Page({ session }: { session: Session }) {
  const { state, error, reload } = session
  if (error) return <Retry error={error} onRetry={reload} />
  if (!state) return <p class="loading muted">Loading…</p>
  const path = location.pathname
  if (path === '/invitation') return <InvitationPage />
  if (!state.visitor) return <SignInPage />
  if (path === '/sign-in') return <SignInPage />
  if (path === '/account') return state.visitor.isGuest ? <SignInPage /> : <AccountPage />
  return <ConvertPage visitor={state.visitor} />
}

function Retry({ error, onRetry }: { error: string; onRetry: () => Promise<void> }) {
  // Retry, because the connection may recover.
  useEffect(() => {
    addEventListener('online', onRetry)
    return () => removeEventListener('online', onRetry)
  }, [onRetry])
  return (
    <section class="narrow">
      <Fault text={error} />
      <p>
        <Button text="Try again" onClick={onRetry} />
      </p>
    </section>
  )
}

function Header({ session }: { session: Session }) {
  const visitor = session.state?.visitor ?? null
  const link = (href: string, text: string) => (
    <a href={href} {...(href === location.pathname ? { 'aria-current': 'page' as const } : {})}>
      {text}
    </a>
  )
  return (
    <header class="top">
      <div class="page-width">
        <a class="brand" href="/">
          <Mark />
          <span>Kiln</span>
        </a>
        <nav aria-label="Pages">
          {link('/', 'Convert')}
          {visitor && !visitor.isGuest ? link('/account', 'Account') : null}
          {session.state && (!visitor || visitor.isGuest) ? link('/sign-in', 'Sign in') : null}
        </nav>
        {visitor && !visitor.isGuest && visitor.canSignOut ? <SignOut session={session} /> : null}
      </div>
    </header>
  )
}

function SignOut({ session }: { session: Session }) {
  const { run, fault } = useAction()
  return (
    <Button
      kind="quiet small"
      text={fault ? 'Sign out again' : 'Sign out'}
      onClick={() => run(session.signOut)}
    />
  )
}

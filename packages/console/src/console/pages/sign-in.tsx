import { useState } from 'preact/hooks'
import { send } from '../../shared/api.ts'
import { Fault } from '../../shared/parts/card.tsx'
import { Mark } from '../../shared/parts/mark.tsx'

export interface SignInProps {
  /** Why one has to sign in again. */
  message: string | null
  onSignedIn: () => Promise<void>
}

export function SignInPage({ message, onSignedIn }: SignInProps) {
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const password = String(new FormData(form).get('password') ?? '')
    setBusy(true)
    setError(null)
    try {
      await send('/sign-in', { password })
      await onSignedIn()
    } catch (failure) {
      setError((failure as Error).message)
      setBusy(false)
    }
  }

  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <div class="brand">
          <Mark />
          <span>Kiln</span>
        </div>
        <h1>Operator console</h1>
        {message && !error ? <p class="notice warn">{message}</p> : null}
        <label>
          Operator password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <Fault text={error} />
        <button class="button" type="submit" disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
        <p class="muted small">
          Lost it? <code>npm run -s admin -- operator set-password</code> makes a new one.
        </p>
      </form>
    </main>
  )
}

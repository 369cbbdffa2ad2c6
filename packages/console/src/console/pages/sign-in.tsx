import { send } from '../../shared/api.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Fault } from '../../shared/parts/card.tsx'
import { Mark } from '../../shared/parts/mark.tsx'
import { onSubmit, useAction } from '../../shared/use-action.ts'

export interface SignInProps {
  /** Why one has to sign in again. */
  message: string | null
  onSignedIn: () => Promise<void>
}

export function SignInPage({ message, onSignedIn }: SignInProps) {
  const { run, isBusy, fault } = useAction()
  const signIn = onSubmit((fields) =>
    run(() => send('/sign-in', Object.fromEntries(fields)).then(onSignedIn)),
  )
  return (
    <main class="sign-in">
      <form class="card" onSubmit={signIn}>
        <div class="brand">
          <Mark />
          <span>Kiln</span>
        </div>
        <h1>Operator console</h1>
        {message && !fault ? <p class="notice warn">{message}</p> : null}
        <label>
          Operator password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <Fault text={fault} />
        <Button text={isBusy ? 'Signing in…' : 'Sign in'} type="submit" disabled={isBusy} />
        <p class="muted small">
          Lost it? <code>npm run -s admin -- operator set-password</code> makes a new one.
        </p>
      </form>
    </main>
  )
}

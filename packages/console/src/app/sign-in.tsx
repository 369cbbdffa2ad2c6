import { send } from '../shared/api.ts'
import { Button } from '../shared/parts/button.tsx'
import { Fault } from '../shared/parts/card.tsx'
import { onSubmit, useAction } from '../shared/use-action.ts'
import { canUsePasskeys, signInWithPasskey } from './passkeys.ts'

/** The page that was asked for, or the front page. */
const goOn = () => location.assign(location.pathname === '/account' ? '/account' : '/')

export function SignInPage() {
  const { run, isBusy, fault } = useAction()
  const signIn = (work: () => Promise<unknown>) => run(() => work().then(goOn))
  return (
    <section class="narrow entry">
      <h1>Sign in</h1>
      <p class="muted">Convert documents, PDFs and videos on this service.</p>
      <form
        class="card form"
        onSubmit={onSubmit((fields) => signIn(() => send('/sign-in', Object.fromEntries(fields))))}
      >
        <label>
          User name
          <input name="name" autocomplete="username webauthn" required maxLength={100} />
        </label>
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <Fault text={fault} />
        <Button text="Sign in" type="submit" disabled={isBusy} />
        {canUsePasskeys() ? (
          <Button
            kind="quiet"
            text="Use a passkey"
            disabled={isBusy}
            onClick={() => signIn(signInWithPasskey)}
          />
        ) : null}
      </form>
      <p class="muted small">
        New here, or lost your password? Ask the operator of this service for an invitation link.
      </p>
    </section>
  )
}

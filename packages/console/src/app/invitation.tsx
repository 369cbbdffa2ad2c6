import { useEffect, useState } from 'preact/hooks'
import { send } from '../shared/api.ts'
import { Button } from '../shared/parts/button.tsx'
import { Fault } from '../shared/parts/card.tsx'
import { onSubmit, useAction } from '../shared/use-action.ts'
import { addPasskey, canUsePasskeys } from './passkeys.ts'

// The page behind a one-time invitation link. The token is the fragment of the URL, which browsers do not send to a
// server; it is removed from the address bar as soon as the page has read it.

export function InvitationPage() {
  const [token] = useState(() => location.hash.slice(1))
  const [account, setAccount] = useState<string | null>(null)
  const { run, isBusy, fault } = useAction()
  useEffect(() => {
    history.replaceState(null, '', '/invitation')
    void run(async () =>
      setAccount((await send<{ accountName: string }>('/invitation', { token })).accountName),
    )
  }, [token])

  const join = onSubmit((fields, _form, button) =>
    run(async () => {
      const withPasskey = (button as HTMLButtonElement | null)?.value === 'passkey'
      const name = fields.get('name')
      await send('/accept', withPasskey ? { token, name } : { token, name, password: fields.get('password') })
      if (withPasskey) await addPasskey()
      location.assign('/')
    }),
  )
  return (
    <section class="narrow entry">
      <h1>Welcome to Kiln</h1>
      {account === null ? (
        <Fault text={fault} />
      ) : (
        <>
          <p class="muted">
            You are invited to <strong>{account}</strong>. Choose how to sign in from now on.
          </p>
          <form class="card form" onSubmit={join}>
            <label>
              User name
              <input name="name" autocomplete="username" required maxLength={100} />
            </label>
            <label>
              Password
              <input name="password" type="password" autocomplete="new-password" required minLength={10} />
              <small>At least 10 characters.</small>
            </label>
            <Fault text={fault} />
            <Button text="Start" type="submit" disabled={isBusy} />
            {canUsePasskeys() ? (
              <Button
                kind="quiet"
                text="Use a passkey instead"
                type="submit"
                disabled={isBusy}
                value="passkey"
                formNoValidate
              />
            ) : null}
          </form>
        </>
      )}
    </section>
  )
}

import { useState } from 'preact/hooks'
import { send } from '../../shared/api.ts'
import { KeysCard } from '../../shared/cards/keys-card.tsx'
import { LedgerCard, UsageFigures } from '../../shared/cards/ledger-card.tsx'
import { StyleCard } from '../../shared/cards/style-card.tsx'
import { WebhookCard } from '../../shared/cards/webhook-card.tsx'
import * as format from '../../shared/format.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Card, Empty, Fault, Note } from '../../shared/parts/card.tsx'
import { SecretDialog } from '../../shared/parts/dialog.tsx'
import type { AccountDetails } from '../../shared/types.ts'
import { onSubmit, useAction } from '../../shared/use-action.ts'
import { useData } from '../../shared/use-data.ts'
import { Link } from '../router.tsx'

const JobName = ({ id }: { id: string }) => (
  <Link to={`/jobs/${id}`} class="mono small">
    {format.shortId(id)}
  </Link>
)

export function AccountPage({ id }: { id: string }) {
  const accountPath = `/accounts/${id}`
  const { data, error, reload } = useData<AccountDetails>(accountPath, 5000)
  const [ledgerVersion, setLedgerVersion] = useState(0)
  if (!data) return <Empty>{error ?? 'Loading…'}</Empty>
  const { account, keys } = data

  return (
    <>
      <header class="page-head">
        <div>
          <p class="crumb">
            <Link to="/accounts">Accounts</Link>
          </p>
          <h1>{account.name}</h1>
          <p class="mono muted small">{account.id}</p>
        </div>
        <div class="actions">
          <InviteButton accountPath={accountPath} />
          <Link to={`/jobs?account=${account.id}`} class="button quiet">
            Jobs
          </Link>
        </div>
      </header>
      <UsageFigures {...data} />
      <div class="grid">
        <KeysCard accountPath={accountPath} keys={keys} onChanged={reload} />
        <GrantCard
          id={id}
          onGranted={() => {
            reload()
            setLedgerVersion((version) => version + 1)
          }}
        />
        <LedgerCard key={ledgerVersion} accountPath={accountPath} JobName={JobName} />
        <WebhookCard accountPath={accountPath} JobName={JobName} />
        <StyleCard accountPath={accountPath} />
      </div>
    </>
  )
}

/** A one-time link to the web app. */
function InviteButton({ accountPath }: { accountPath: string }) {
  const [link, setLink] = useState<string | null>(null)
  const { run, fault } = useAction()
  const invite = () =>
    run(async () => setLink((await send<{ link: string }>(`${accountPath}/invitations`)).link))
  return (
    <>
      <Fault text={fault} />
      <Button kind="quiet" text="Invite a user" onClick={invite} />
      {link ? (
        <SecretDialog
          title="Invitation to the web app"
          text="Send this link to one person. It works once, within 7 days, and is shown only now."
          secret={link}
          onClose={() => setLink(null)}
        />
      ) : null}
    </>
  )
}

function GrantCard({ id, onGranted }: { id: string; onGranted: () => void }) {
  const { run, fault } = useAction()
  const [granted, setGranted] = useState<string | null>(null)
  const grant = onSubmit((fields, form) => {
    setGranted(null)
    return run(async () => {
      const { credits } = await send<{ credits: number }>(`/accounts/${id}/grants`, {
        amount: Number(fields.get('amount')),
        reason: fields.get('reason'),
      })
      form.reset()
      setGranted(`The account now has ${format.plural(credits, 'credit')}.`)
      onGranted()
    })
  })
  return (
    <Card title="Grant credits">
      <form class="stack" onSubmit={grant}>
        <label>
          Credits
          <input name="amount" type="number" step="1" required placeholder="100" />
        </label>
        <label>
          Reason, for the ledger
          <input
            name="reason"
            required
            maxLength={500}
            autocomplete="off"
            placeholder="Paid, invoice 2026-114"
          />
        </label>
        <Fault text={fault} />
        <Note text={granted} />
        <div>
          <Button text="Grant" type="submit" />
        </div>
        <p class="muted small">A negative number takes credits back.</p>
      </form>
    </Card>
  )
}

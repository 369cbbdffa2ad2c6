import { useState } from 'preact/hooks'
import { send } from '../api.ts'
import * as format from '../format.ts'
import { Badge } from '../parts/badge.tsx'
import { Card, Empty, Fault, Figure, Older } from '../parts/card.tsx'
import { Confirm, NewKeyDialog } from '../parts/dialog.tsx'
import { Overlap, usualOverlap } from '../parts/overlap.tsx'
import { Table } from '../parts/table.tsx'
import { Link } from '../router.tsx'
import type { AccountDetails, Key, LedgerPage, NewKey } from '../types.ts'
import { useData } from '../use-data.ts'
import { usePages } from '../use-pages.ts'
import { StyleCard } from './style-card.tsx'
import { WebhookCard } from './webhook-card.tsx'

type Asked = { what: 'rotate' | 'revoke'; key: Key } | null

export function AccountPage({ id }: { id: string }) {
  const { data, error, reload } = useData<AccountDetails>(`/accounts/${id}`, 5000)
  const [secret, setSecret] = useState<string | null>(null)
  const [asked, ask] = useState<Asked>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [ledgerVersion, setLedgerVersion] = useState(0)
  if (!data) return <Empty>{error ?? 'Loading…'}</Empty>
  const { account, keys, freeJobsPerMonth } = data
  const show = (made: NewKey) => {
    setSecret(made.key)
    reload()
  }
  const makeKey = () => {
    setFault(null)
    send<NewKey>(`/accounts/${id}/keys`).then(show, (failure: Error) => setFault(failure.message))
  }

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
          <Link to={`/jobs?account=${account.id}`} class="button quiet">
            Jobs
          </Link>
        </div>
      </header>
      <dl class="figures">
        <Figure
          label="Jobs this month"
          value={format.count(account.jobs)}
          note={format.bytes(account.bytes)}
        />
        <Figure
          label="Free conversions left"
          value={Math.max(0, freeJobsPerMonth - account.freeUsed)}
          note={`of ${freeJobsPerMonth} a month`}
        />
        <Figure label="Credits" value={format.count(account.credits)} />
        <Figure label="Account since" value={format.day(account.createdAt)} />
      </dl>
      <div class="grid">
        <Card
          title="API keys"
          class="wide"
          aside={
            account.isOperator ? (
              <span class="muted small">What you try in the console is charged to this account.</span>
            ) : (
              <button type="button" class="button small" onClick={makeKey}>
                New key
              </button>
            )
          }
        >
          <Fault text={fault} />
          <KeysTable keys={keys} onAsk={ask} />
        </Card>
        <GrantCard
          id={id}
          onGranted={() => {
            reload()
            setLedgerVersion((version) => version + 1)
          }}
        />
        <Ledger key={ledgerVersion} id={id} />
        <WebhookCard id={id} />
        <StyleCard id={id} />
      </div>
      {secret ? <NewKeyDialog secret={secret} onClose={() => setSecret(null)} /> : null}
      {asked?.what === 'revoke' ? (
        <Confirm
          title="Revoke this key?"
          text={`Every call with ${asked.key.hint} is refused from now on. This cannot be taken back.`}
          action="Revoke"
          onConfirm={() => send<Key>(`/keys/${asked.key.id}/revoke`).then(reload)}
          onClose={() => ask(null)}
        />
      ) : null}
      {asked?.what === 'rotate' ? (
        <Rotate record={asked.key} onMade={show} onClose={() => ask(null)} />
      ) : null}
    </>
  )
}

const tones = { active: 'good', ending: 'warn', ended: 'plain' } as const

function KeysTable({ keys, onAsk }: { keys: Key[]; onAsk: (asked: Asked) => void }) {
  if (keys.length === 0) return <Empty>No key yet: nobody can use this account.</Empty>
  return (
    <Table columns={['Key', 'State', 'Made', 'Ends', '!Actions']}>
      {keys.map((key) => (
        <tr key={key.id}>
          <td class="mono">{key.hint}</td>
          <td>
            <Badge tone={tones[key.state]} text={key.state} />
          </td>
          <td>{format.time(key.createdAt)}</td>
          <td>{key.endsAt ? format.time(key.endsAt) : 'never'}</td>
          <td class="row-actions">
            {key.state === 'ended' ? null : (
              <>
                <button
                  type="button"
                  class="button quiet small"
                  onClick={() => onAsk({ what: 'rotate', key })}
                >
                  Rotate<span class="hidden-text"> {key.hint}</span>
                </button>
                <button
                  type="button"
                  class="button danger small"
                  onClick={() => onAsk({ what: 'revoke', key })}
                >
                  Revoke<span class="hidden-text"> {key.hint}</span>
                </button>
              </>
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

function Rotate(props: { record: Key; onMade: (key: NewKey) => void; onClose: () => void }) {
  const [overlapSeconds, setOverlap] = useState(usualOverlap)
  return (
    <Confirm
      title="Rotate this key?"
      text={
        <Overlap
          sentence={`A new key is made; the old one, ${props.record.hint},`}
          value={overlapSeconds}
          onChange={setOverlap}
        />
      }
      action="Rotate"
      onConfirm={async () => {
        const { key } = await send<{ key: NewKey }>(`/keys/${props.record.id}/rotate`, { overlapSeconds })
        props.onMade(key)
      }}
      onClose={props.onClose}
    />
  )
}

function GrantCard({ id, onGranted }: { id: string; onGranted: () => void }) {
  const [error, setError] = useState<string | null>(null)
  const [granted, setGranted] = useState<string | null>(null)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const fields = new FormData(form)
    setError(null)
    setGranted(null)
    try {
      const { credits } = await send<{ credits: number }>(`/accounts/${id}/grants`, {
        amount: Number(fields.get('amount')),
        reason: String(fields.get('reason')),
      })
      form.reset()
      setGranted(`The account now has ${format.plural(credits, 'credit')}.`)
      onGranted()
    } catch (failure) {
      setError((failure as Error).message)
    }
  }
  return (
    <Card title="Grant credits">
      <form class="stack" onSubmit={submit}>
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
        <Fault text={error} />
        {granted ? (
          <p class="notice good" role="status">
            {granted}
          </p>
        ) : null}
        <div>
          <button type="submit" class="button">
            Grant
          </button>
        </div>
        <p class="muted small">A negative number takes credits back.</p>
      </form>
    </Card>
  )
}

function Ledger({ id }: { id: string }) {
  const path = `/accounts/${id}/ledger`
  const { items, error, loadOlder } = usePages({
    path,
    everyMilliseconds: 10_000,
    itemsOf: (page: LedgerPage) => page.entries,
    after: ({ next }) => (next === null ? null : `${path}?before=${next}`),
  })
  const entries = items ?? []
  return (
    <Card title="Ledger" class="tall">
      <Fault text={error} />
      {items?.length === 0 ? <Empty>No entry yet.</Empty> : null}
      {entries.length > 0 ? (
        <>
          <Table columns={['When', 'Entry', '#Credits', '#Free']} limited>
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td title={format.time(entry.createdAt)}>{format.relative(entry.createdAt)}</td>
                <td>
                  {entry.kind} <span class="muted">{entry.reason}</span>{' '}
                  {entry.jobId ? (
                    <Link to={`/jobs/${entry.jobId}`} class="mono small">
                      {format.shortId(entry.jobId)}
                    </Link>
                  ) : null}
                </td>
                <td class="number">{signed(entry.credits)}</td>
                <td class="number">{signed(entry.free)}</td>
              </tr>
            ))}
          </Table>
          <Older load={loadOlder} text="Older entries" />
        </>
      ) : null}
    </Card>
  )
}

const signed = (value: number): string => (value === 0 ? '–' : value > 0 ? `+${value}` : `−${-value}`)

import { useState } from 'preact/hooks'
import { send } from '../api.ts'
import * as format from '../format.ts'
import { Badge } from '../parts/badge.tsx'
import { Card, Fault } from '../parts/card.tsx'
import { Confirm, SecretDialog } from '../parts/dialog.tsx'
import { Overlap, usualOverlap } from '../parts/overlap.tsx'
import { PagedTable } from '../parts/table.tsx'
import type { Delivery, RotatedWebhook, SetWebhook, WebhookPage } from '../types.ts'
import { onSubmit, useAction } from '../use-action.ts'
import { useData } from '../use-data.ts'
import { usePages } from '../use-pages.ts'
import type { AccountCardProps } from './props.ts'

/** The address that gets an event for each job that ends, and the responses of the receiver. */
export function WebhookCard({ accountPath, JobName }: AccountCardProps) {
  const path = `${accountPath}/webhook`
  const { data, error, reload } = useData<WebhookPage>(path, 5000)
  const [secret, setSecret] = useState<string | null>(null)
  const [asked, ask] = useState<'rotate' | 'remove' | null>(null)
  const { run, fault } = useAction()
  const webhook = data?.webhook ?? null
  const show = ({ secret: created }: SetWebhook | RotatedWebhook) => {
    setSecret(created)
    reload()
  }
  const set = onSubmit((fields) => run(() => send<SetWebhook>(path, Object.fromEntries(fields)).then(show)))
  return (
    <Card
      title="Webhook"
      class="wide"
      aside={
        webhook ? (
          <span class="row-actions">
            <button type="button" class="button quiet small" onClick={() => ask('rotate')}>
              Rotate secret
            </button>
            <button type="button" class="button danger small" onClick={() => ask('remove')}>
              Remove webhook
            </button>
          </span>
        ) : null
      }
    >
      <Fault text={fault ?? error} />
      {data ? (
        <form class="stack" onSubmit={set}>
          <label>
            Events are sent to
            <input
              key={webhook?.url}
              name="url"
              type="url"
              required
              maxLength={2000}
              autocomplete="off"
              defaultValue={webhook?.url ?? ''}
              placeholder="https://example.com/kiln-events"
            />
          </label>
          <div>
            <button type="submit" class="button">
              {webhook ? 'Change address' : 'Set webhook'}
            </button>
          </div>
          <p class="muted small">{stateOf(webhook)}</p>
        </form>
      ) : null}
      {webhook ? (
        <Deliveries path={path} accountPath={accountPath} JobName={JobName} onChanged={reload} />
      ) : null}
      {secret ? (
        <SecretDialog
          title="The secret of the webhook"
          text="It is shown only once. The receiver verifies events with it. If it is lost, rotate it."
          secret={secret}
          onClose={() => setSecret(null)}
        />
      ) : null}
      {asked === 'rotate' ? <RotateSecret path={path} onMade={show} onClose={() => ask(null)} /> : null}
      {asked === 'remove' ? (
        <Confirm
          title="Remove this webhook?"
          text="No more events are sent, including those that are waiting. The secret and the deliveries are deleted."
          action="Remove"
          onConfirm={() => send<object>(`${path}/remove`).then(reload)}
          onClose={() => ask(null)}
        />
      ) : null}
    </Card>
  )
}

function stateOf(webhook: WebhookPage['webhook']): string {
  if (!webhook)
    return 'The service sends a signed event to this address whenever a job ends. No address is set.'
  const { waiting, oldSecretEndsAt } = webhook
  const old = oldSecretEndsAt ? ` The previous secret also signs until ${format.time(oldSecretEndsAt)}.` : ''
  return `${format.plural(waiting, 'event')} to be delivered.${old}`
}

function RotateSecret(props: { path: string; onMade: (made: RotatedWebhook) => void; onClose: () => void }) {
  const [overlapSeconds, setOverlap] = useState(usualOverlap)
  return (
    <Confirm
      title="Rotate the secret?"
      text={
        <Overlap
          sentence="A new secret is created; the old one"
          value={overlapSeconds}
          onChange={setOverlap}
        />
      }
      action="Rotate"
      onConfirm={async () =>
        props.onMade(await send<RotatedWebhook>(`${props.path}/rotate`, { overlapSeconds }))
      }
      onClose={props.onClose}
    />
  )
}

const tones = { delivered: 'good', waiting: 'warn', 'given-up': 'bad' } as const

interface DeliveriesProps extends AccountCardProps {
  path: string
  onChanged: () => void
}

function Deliveries({ path, accountPath, JobName, onChanged }: DeliveriesProps) {
  const pages = usePages({
    path,
    everyMilliseconds: 3000,
    itemsOf: (page: WebhookPage) => page.deliveries,
  })
  const { run, fault } = useAction()
  const sendAgain = (id: string) =>
    run(() => send(`${accountPath}/deliveries/${id}/send-again`).then(onChanged))
  return (
    <>
      <Fault text={fault} />
      <PagedTable
        label="Deliveries"
        columns={['When', 'Event', 'State', 'Answer', '#Attempts', '!Actions']}
        limited
        pages={pages}
        empty="No events yet."
        older="Older events"
        row={(delivery) => (
          <tr key={delivery.id}>
            <td title={format.time(delivery.createdAt)}>{format.relative(delivery.createdAt)}</td>
            <td>
              {delivery.type} <JobName id={delivery.jobId} />
            </td>
            <td>
              <Badge tone={tones[delivery.state]} text={delivery.state.replace('-', ' ')} />
              {delivery.state === 'waiting' && delivery.attempts > 0 ? (
                <span class="muted small"> {format.relative(delivery.nextAttemptAt)}</span>
              ) : null}
            </td>
            <td>{answerOf(delivery)}</td>
            <td class="number">{delivery.attempts}</td>
            <td class="row-actions">
              <button type="button" class="button quiet small" onClick={() => sendAgain(delivery.id)}>
                Send again<span class="hidden-text"> {format.shortId(delivery.jobId)}</span>
              </button>
            </td>
          </tr>
        )}
      />
    </>
  )
}

function answerOf({ answeredAt, answerStatus, answerText, answerMilliseconds }: Delivery): string {
  if (!answeredAt) return '–'
  const status = answerStatus === null ? '' : `${answerStatus} in ${format.duration(answerMilliseconds)}`
  return [status, answerText].filter(Boolean).join(': ')
}

import { useState } from 'preact/hooks'
import { send } from '../api.ts'
import * as format from '../format.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Card, Fault } from '../parts/card.tsx'
import { Confirm, SecretDialog } from '../parts/dialog.tsx'
import { Rotate } from '../parts/rotate.tsx'
import { PagedTable } from '../parts/table.tsx'
import type { Delivery, RotatedWebhook, SetWebhook, WebhookPage } from '../types.ts'
import { onSubmit, useAction } from '../use-action.ts'
import { useData, usePages } from '../use-data.ts'
import type { AccountCardProps } from './ledger-card.tsx'

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
            <Button kind="quiet small" text="Rotate secret" onClick={() => ask('rotate')} />
            <Button kind="danger small" text="Remove webhook" onClick={() => ask('remove')} />
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
            <Button text={webhook ? 'Change address' : 'Set webhook'} type="submit" />
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
      {asked === 'rotate' ? (
        <Rotate
          title="Rotate the secret?"
          sentence="A new secret is created; the old one"
          onRotate={async (overlapSeconds) =>
            show(await send<RotatedWebhook>(`${path}/rotate`, { overlapSeconds }))
          }
          onClose={() => ask(null)}
        />
      ) : null}
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
              <Button
                kind="quiet small"
                text="Send again"
                hiddenText={format.shortId(delivery.jobId)}
                onClick={() => sendAgain(delivery.id)}
              />
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

import { useState } from 'preact/hooks'
import { send } from '../api.ts'
import * as format from '../format.ts'
import { Badge } from '../parts/badge.tsx'
import { Card, Empty, Fault } from '../parts/card.tsx'
import { Confirm, NewKeyDialog } from '../parts/dialog.tsx'
import { Overlap, usualOverlap } from '../parts/overlap.tsx'
import { Table } from '../parts/table.tsx'
import type { Key, NewKey } from '../types.ts'
import { useAction } from '../use-action.ts'

type Asked = { what: 'rotate' | 'revoke'; key: Key } | null

export interface KeysCardProps {
  accountPath: string
  keys: Key[]
  onChanged: () => void
}

/** The API keys of an account: create, rotate, revoke. */
export function KeysCard({ accountPath, keys, onChanged }: KeysCardProps) {
  const path = `${accountPath}/keys`
  const [secret, setSecret] = useState<string | null>(null)
  const [asked, ask] = useState<Asked>(null)
  const { run, fault } = useAction()
  const show = (created: NewKey) => {
    setSecret(created.key)
    onChanged()
  }
  const createKey = () => run(() => send<NewKey>(path).then(show))
  return (
    <Card
      title="API keys"
      class="wide"
      aside={
        <button type="button" class="button small" onClick={createKey}>
          New key
        </button>
      }
    >
      <Fault text={fault} />
      <KeysTable keys={keys} onAsk={ask} />
      {secret ? <NewKeyDialog secret={secret} onClose={() => setSecret(null)} /> : null}
      {asked?.what === 'revoke' ? (
        <Confirm
          title="Revoke this key?"
          text={`Every call with ${asked.key.hint} is refused from now on. This cannot be undone.`}
          action="Revoke"
          onConfirm={() => send<Key>(`${path}/${asked.key.id}/revoke`).then(onChanged)}
          onClose={() => ask(null)}
        />
      ) : null}
      {asked?.what === 'rotate' ? (
        <Rotate path={path} record={asked.key} onCreated={show} onClose={() => ask(null)} />
      ) : null}
    </Card>
  )
}

const tones = { active: 'good', ending: 'warn', ended: 'plain' } as const

function KeysTable({ keys, onAsk }: { keys: Key[]; onAsk: (asked: Asked) => void }) {
  if (keys.length === 0) return <Empty>No keys yet.</Empty>
  return (
    <Table label="API keys" columns={['Key', 'State', 'Created', 'Ends', '!Actions']}>
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

function Rotate(props: { path: string; record: Key; onCreated: (key: NewKey) => void; onClose: () => void }) {
  const [overlapSeconds, setOverlap] = useState(usualOverlap)
  return (
    <Confirm
      title="Rotate this key?"
      text={
        <Overlap
          sentence={`A new key is created; the old one, ${props.record.hint},`}
          value={overlapSeconds}
          onChange={setOverlap}
        />
      }
      action="Rotate"
      onConfirm={async () => {
        const { key } = await send<{ key: NewKey }>(`${props.path}/${props.record.id}/rotate`, {
          overlapSeconds,
        })
        props.onCreated(key)
      }}
      onClose={props.onClose}
    />
  )
}

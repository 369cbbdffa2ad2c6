import { useState } from 'preact/hooks'
import { send } from '../api.ts'
import * as format from '../format.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Card, Empty, Fault } from '../parts/card.tsx'
import { Confirm, NewKeyDialog } from '../parts/dialog.tsx'
import { Rotate } from '../parts/rotate.tsx'
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
    <Card title="API keys" class="wide" aside={<Button kind="small" text="New key" onClick={createKey} />}>
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
        <Rotate
          title="Rotate this key?"
          sentence={`A new key is created; the old one, ${asked.key.hint},`}
          onRotate={async (overlapSeconds) =>
            show((await send<{ key: NewKey }>(`${path}/${asked.key.id}/rotate`, { overlapSeconds })).key)
          }
          onClose={() => ask(null)}
        />
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
                <Button
                  kind="quiet small"
                  text="Rotate"
                  hiddenText={key.hint}
                  onClick={() => onAsk({ what: 'rotate', key })}
                />
                <Button
                  kind="danger small"
                  text="Revoke"
                  hiddenText={key.hint}
                  onClick={() => onAsk({ what: 'revoke', key })}
                />
              </>
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

import * as format from '../format.ts'
import { Card, Empty, Fault, Older } from '../parts/card.tsx'
import { Table } from '../parts/table.tsx'
import type { LedgerPage } from '../types.ts'
import { usePages } from '../use-pages.ts'
import type { AccountCardProps } from './props.ts'

/** Every charge, refund and grant of an account. */
export function LedgerCard({ accountPath, JobName }: AccountCardProps) {
  const path = `${accountPath}/ledger`
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
      {items?.length === 0 ? <Empty>No entries yet.</Empty> : null}
      {entries.length > 0 ? (
        <>
          <Table label="Ledger" columns={['When', 'Entry', '#Credits', '#Free']} limited>
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td title={format.time(entry.createdAt)}>{format.relative(entry.createdAt)}</td>
                <td>
                  {entry.kind} <span class="muted">{entry.reason}</span>{' '}
                  {entry.jobId ? <JobName id={entry.jobId} /> : null}
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

import * as format from '../format.ts'
import { Card } from '../parts/card.tsx'
import { PagedTable } from '../parts/table.tsx'
import type { LedgerPage } from '../types.ts'
import { usePages } from '../use-pages.ts'
import type { AccountCardProps } from './props.ts'

/** Every charge, refund and grant of an account. */
export function LedgerCard({ accountPath, JobName }: AccountCardProps) {
  const pages = usePages({
    path: `${accountPath}/ledger`,
    everyMilliseconds: 10_000,
    itemsOf: (page: LedgerPage) => page.entries,
  })
  return (
    <Card title="Ledger" class="tall">
      <PagedTable
        label="Ledger"
        columns={['When', 'Entry', '#Credits', '#Free']}
        limited
        pages={pages}
        empty="No entries yet."
        older="Older entries"
        row={(entry) => (
          <tr key={entry.id}>
            <td title={format.time(entry.createdAt)}>{format.relative(entry.createdAt)}</td>
            <td>
              {entry.kind} <span class="muted">{entry.reason}</span>{' '}
              {entry.jobId ? <JobName id={entry.jobId} /> : null}
            </td>
            <td class="number">{signed(entry.credits)}</td>
            <td class="number">{signed(entry.free)}</td>
          </tr>
        )}
      />
    </Card>
  )
}

const signed = (value: number): string => (value === 0 ? '–' : value > 0 ? `+${value}` : `−${-value}`)

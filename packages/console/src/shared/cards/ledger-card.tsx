import type { ComponentType } from 'preact'
import * as format from '../format.ts'
import { Card, Figure } from '../parts/card.tsx'
import { PagedTable } from '../parts/table.tsx'
import type { AccountDetails, LedgerPage } from '../types.ts'
import { usePages } from '../use-data.ts'

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

/** The use of an account in the current month. */
export const UsageFigures = ({ account, freeJobsPerMonth }: AccountDetails) => (
  <dl class="figures">
    <Figure label="Jobs this month" value={format.count(account.jobs)} note={format.bytes(account.bytes)} />
    <Figure
      label="Free conversions left"
      value={Math.max(0, freeJobsPerMonth - account.freeUsed)}
      note={`of ${freeJobsPerMonth} a month`}
    />
    <Figure label="Credits" value={format.count(account.credits)} />
    <Figure label="Account since" value={format.day(account.createdAt)} />
  </dl>
)

// The props of the cards of an account: the path of its routes, and how a job is named or linked to.

export interface AccountCardProps {
  /** Below the interface, such as `/account`. */
  accountPath: string
  JobName: ComponentType<{ id: string }>
}

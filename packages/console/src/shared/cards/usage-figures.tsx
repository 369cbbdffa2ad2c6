import * as format from '../format.ts'
import { Figure } from '../parts/card.tsx'
import type { AccountDetails } from '../types.ts'

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

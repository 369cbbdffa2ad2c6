import type { Invariant } from '../system-state.ts'
import { everyEndIsDelivered } from './events.ts'
import { everyJobEnds } from './every-job-ends.ts'
import { inputsAndOrphans } from './inputs-and-orphans.ts'
import { ledgerIsRight } from './ledger.ts'
import { outputsAreWhole } from './outputs.ts'
import { processesLive } from './processes.ts'
import { responsesMatchCharges } from './responses.ts'
import { takeoversAreQuick } from './takeovers.ts'

// In this order: the first one waits for the jobs to end, and the others check the results. The second list is checked
// after the fleet has stopped.
export const whileRunning: readonly Invariant[] = [
  everyJobEnds,
  takeoversAreQuick,
  everyEndIsDelivered,
  ledgerIsRight,
  responsesMatchCharges,
  outputsAreWhole,
]
export const afterTheStop: readonly Invariant[] = [inputsAndOrphans, processesLive]

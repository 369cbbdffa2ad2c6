import type { S3Settings } from '../../packages/server/src/storage/s3/s3-storage.ts'
import type { Account } from './accounts.ts'
import type { Acknowledged, Client, Job } from './client.ts'
import type { Fleet } from './fleet.ts'
import type { Form } from './forms.ts'
import type { FaultReport } from './inject-faults.ts'
import type { Receiver } from './receiver.ts'
import type { WorkWatch } from './work-watch.ts'
import type { SubmitsWithoutKey } from './workload.ts'

/** The state that the checks inspect after the faults. */
export interface SystemState {
  form: Form
  root: string
  accounts: readonly Account[]
  acknowledged: readonly Acknowledged[]
  clientOf(account: Account): Client
  withoutKey: SubmitsWithoutKey
  fleet: Fleet
  watch: WorkWatch
  injected: FaultReport
  receiver: Receiver
  /** The database itself, not the proxy that injects faults. */
  databaseUrl: string
  s3: S3Settings
  /** How every acknowledged job ended, as its owner sees it; filled by the first check. */
  ended: Map<string, Job>
  giveUpAt: number
  say: (line: string) => void
}

/** Returns the violations; empty when there are none. */
export interface Invariant {
  name: string
  check(state: SystemState): Promise<string[]>
}

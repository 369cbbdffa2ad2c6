import { lanes, type Pair } from '@kiln/converter/catalog'
import type { faultOfStyle } from '@kiln/converter/house-style'
import { createAccounts } from '../accounts/accounts.ts'
import type { AcceptUpload } from '../conversions/accept-upload.ts'
import { createCancel } from '../conversions/cancel.ts'
import { createEndJob } from '../conversions/end-job.ts'
import { createRetry } from '../conversions/retry.ts'
import type { Database } from '../db/connect.ts'
import { createHouseStyles } from '../house-styles/house-styles.ts'
import type { Log } from '../log/log.ts'
import type { Queue } from '../queue/queue.ts'
import type { Storage } from '../storage/storage.ts'
import { createAccountView } from '../web/account-view.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import { createConsoleAccounts } from './accounts.ts'
import { createJobs } from './jobs.ts'
import { createOverview, type OverviewParts } from './overview.ts'
import { createSignIn } from './sign-in.ts'

// The operator console: the functions that its routes (http/console) call. Loaded with the first request, to save
// memory in a service whose console is not used.

export interface ConsoleParts {
  database: Database
  storage: Storage
  publicUrl: string
  /** Null when clients upload to a bucket. */
  acceptUpload: AcceptUpload | null
  scratchFolder: string
  queue: Queue
  webhooks: Webhooks
  pairs: readonly Pair[]
  log: Log
  faultOfStyle: typeof faultOfStyle
  retention: OverviewParts['retention']
  faults: OverviewParts['faults']
  consoleSessionSeconds: number
  freeJobsPerMonth: number
  outputTtlSeconds: number
}

export function createConsole(parts: ConsoleParts) {
  const accounts = createAccounts(parts.database)
  return {
    signIn: createSignIn({ ...parts, sessionSeconds: parts.consoleSessionSeconds }),
    overview: createOverview({ ...parts, lanes, storage: parts.acceptUpload ? 'folder' : 'bucket' }),
    jobs: createJobs({
      ...parts,
      cancel: createCancel({ ...parts, endJob: createEndJob(parts) }),
      retry: createRetry(parts),
    }),
    accounts: createConsoleAccounts({ ...parts, accounts }),
    account: createAccountView({ ...parts, accounts }),
    styles: createHouseStyles(parts.database, parts.faultOfStyle),
  }
}

export type Console = ReturnType<typeof createConsole>

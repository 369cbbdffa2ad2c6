import { findPair, lanes, type Pair } from '@kiln/converter/catalog'
import type { faultOfStyle } from '@kiln/converter/house-style'
import { type Accounts, createAccounts, shownOnce } from '../accounts/accounts.ts'
import type { AcceptUpload } from '../conversions/accept-upload.ts'
import { createCancel } from '../conversions/delete.ts'
import { createEndJob } from '../conversions/end-job.ts'
import { createRetry } from '../conversions/retry.ts'
import { listAccountUsage } from '../db/accounts.ts'
import type { Database } from '../db/connect.ts'
import { type JobFilter, listActiveJobs, listEndedJobs, readJobDetails } from '../db/reports/job-list.ts'
import { refused } from '../errors.ts'
import { createHouseStyles } from '../house-styles/house-styles.ts'
import type { Log } from '../log/log.ts'
import type { Queue } from '../queue/queue.ts'
import type { Storage } from '../storage/storage.ts'
import { createAccountView } from '../web/account-view.ts'
import { createInvitation, invitationSeconds } from '../web/invitations.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
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
    jobs: createJobs(parts),
    accounts: createConsoleAccounts(parts, accounts),
    account: createAccountView({ ...parts, accounts }),
    styles: createHouseStyles(parts.database, parts.faultOfStyle),
  }
}

export type Console = ReturnType<typeof createConsole>

// All accounts, for the operator. web/account-view.ts reads a single account. A new key is shown once.

const accountsPerPage = 100

function createConsoleAccounts({ database, freeJobsPerMonth, publicUrl }: ConsoleParts, accounts: Accounts) {
  const db = database.kysely
  return {
    async list(search: string, offset: number) {
      const found = await listAccountUsage(db, { search, id: null, limit: accountsPerPage + 1, offset })
      return {
        freeJobsPerMonth,
        accounts: found.slice(0, accountsPerPage),
        next: found.length > accountsPerPage ? offset + accountsPerPage : null,
      }
    },
    async create(name: string) {
      const made = await accounts.create(name)
      return { account: made.account, key: shownOnce(made.key) }
    },
    invite: (accountId: string) =>
      createInvitation(database, { publicUrl, accountId, seconds: invitationSeconds }),
    grant: accounts.grant,
  }
}

// Jobs: search, view, cancel, retry.

const pageSize = 50

function createJobs(parts: ConsoleParts) {
  const db = parts.database.kysely
  const { hasInput, retry } = createRetry(parts)

  return {
    /** The first page lists active jobs above the most recently ended ones. */
    async list(wanted: Omit<JobFilter, 'limit'>) {
      const filter = { ...wanted, limit: pageSize }
      const endedOnly = wanted.status === 'done' || wanted.status === 'failed' || wanted.reason !== null
      const activeOnly = wanted.status !== null && !endedOnly
      const [active, ended] = await Promise.all([
        endedOnly || wanted.before ? [] : listActiveJobs(db, filter),
        activeOnly ? { jobs: [], next: null } : listEndedJobs(db, filter),
      ])
      return { jobs: [...active, ...ended.jobs], next: ended.next }
    },

    async inspect(id: string) {
      const job = await readJobDetails(db, id)
      if (!job) {
        throw refused('not-found', 'There is no job with this id. Records are kept for a limited time.')
      }
      const canCancel = job.status === 'queued' || job.status === 'processing'
      const canRetry = job.status === 'failed' && (await hasInput(id, job.bytes))
      const engine = findPair(job.pair)?.engine ?? null
      return { job, engine, canCancel, canRetry }
    },

    cancel: createCancel({ ...parts, endJob: createEndJob(parts) }),
    retry,
  }
}

// What the console's interface answers with. Times are ISO strings.

export interface Pair {
  slug: string
  label: string
  from: string
  to: string
  engine: string
  lane: string
  maxBytes: number
  credits: number
}

export interface SessionInfo {
  endsAt: string
  base: string
  pairs: Pair[]
}

export interface Lane {
  lane: string
  waiting: number
  oldestSeconds: number
  running: number
  slots: number
}

export interface RunningJob {
  id: string
  pair: string
  lane: string
  bytes: number
  attempt: number
  progress: number | null
  seconds: number
}

export interface ServiceProcess {
  id: string
  kind: 'all' | 'api' | 'worker'
  host: string
  pid: number
  startedAt: string
  seenAt: string
  facts: {
    memoryBytes: number
    lanes: { lane: string; slots: number; busy: number }[] | null
    sandbox: { level: string; user: string; passed: number; checks: number } | null
    engines: { name: string; ok: boolean; detail: string }[] | null
    disk: { freeBytes: number; totalBytes: number } | null
  }
}

export interface Overview {
  now: string
  faults: string[]
  lastMinute: { done: number; failed: number }
  lanes: Lane[]
  running: RunningJob[]
  holdings: {
    outputs: number
    outputBytes: number
    overdueOutputs: number
    nextExpiry: string | null
    inputs: number
    inputBytes: number
    awaitedUploads: number
    oldestRecord: string | null
    databaseBytes: number
  }
  month: {
    accounts: number
    activeAccounts: number
    jobs: number
    bytes: number
    freeUsed: number
    credits: number
  }
  processes: ServiceProcess[]
  retention: { outputSeconds: number; recordSeconds: number; uploadSeconds: number }
  storage: 'folder' | 'bucket'
}

export interface ChartPoint {
  start: string
  done: number
  failed: number
  p50: number | null
  p95: number | null
  wait: number | null
  longestWait: number | null
}

export interface Charts {
  now: string
  span: number
  seconds: number
  points: ChartPoint[]
  pairs: {
    pair: string
    done: number
    failed: number
    p50: number | null
    p95: number | null
    retries: number
    bytes: number
  }[]
  failures: { reason: string; jobs: number }[]
}

export type JobStatus = 'queued' | 'processing' | 'done' | 'failed'

export interface JobRow {
  id: string
  accountId: string
  accountName: string | null
  pair: string
  lane: string
  status: JobStatus
  uploaded: boolean
  cancelled: boolean
  error: string | null
  bytes: number
  outputBytes: number | null
  attempt: number
  progress: number | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
}

export interface JobPage {
  jobs: JobRow[]
  next: { finishedAt: string; id: string } | null
}

export interface JobDetails extends JobRow {
  uploadExpiresAt: string
  uploadedAt: string | null
  expiresAt: string | null
  cancelledAt: string | null
  retryOf: string | null
  hasOutput: boolean
  traceParent: string | null
  charge: { credits: number; free: number } | null
  refunded: boolean
  failedAttempts: { attempt: number; endedAt: string; reason: string }[]
}

export interface InspectedJob {
  job: JobDetails
  engine: string | null
  canCancel: boolean
  canRetry: boolean
}

export interface Account {
  id: string
  name: string
  credits: number
  createdAt: string
  jobs: number
  bytes: number
  freeUsed: number
  keys: number
  isOperator: boolean
}

export interface AccountPage {
  freeJobsPerMonth: number
  accounts: Account[]
  next: number | null
}

export interface Key {
  id: string
  accountId: string
  hint: string
  createdAt: string
  endsAt: string | null
  state: 'active' | 'ending' | 'ended'
}

export type NewKey = Key & { key: string }

export interface AccountDetails {
  freeJobsPerMonth: number
  account: Account
  keys: Key[]
}

export interface LedgerEntry {
  id: number
  kind: 'grant' | 'charge' | 'refund'
  credits: number
  free: number
  jobId: string | null
  reason: string
  createdAt: string
}

export interface LedgerPage {
  entries: LedgerEntry[]
  next: number | null
}

export interface TriedJob {
  status: JobStatus
  error: string | null
  progress: number | null
  downloadUrl: string | null
}

import { availableParallelism, homedir } from 'node:os'
import { join } from 'node:path'
import { pairs as allPairs, type Lane } from '@kiln/converter/catalog'
import {
  addresses,
  choice,
  type Environment,
  Fault,
  flag,
  formed,
  integer,
  isOrigin,
  list,
  type Setting,
  secret,
  text,
} from './setting-kinds.ts'
import { offeredPairs, pairPrices } from './setting-pairs.ts'

// The table of settings. Each entry has a name, a kind with bounds, a default and a description. Validation and
// docs/configuration.md are derived from it.

export const day = 86_400
const cores = availableParallelism()
const reservedNames = [
  'account',
  'app',
  'assets',
  'console',
  'developers',
  'files',
  'healthz',
  'internal',
  'invitation',
  'metrics',
  'pages',
  'readyz',
  'sign-in',
  'status',
]
const reserved = new RegExp(`^/(${reservedNames.join('|')})(/|$)`)

const headerName = {
  fits: (value: string) => /^[A-Za-z0-9-]{1,100}$/.test(value),
  must: 'be the name of a header, like X-Forwarded-User',
}

/** The services whose APIs the service can offer besides its own. */
const compatNames = ['gotenberg', 'tika', 'docling'] as const
export type CompatApi = (typeof compatNames)[number]

const compatApis = list<readonly CompatApi[]>((parts) =>
  parts.map((part) => {
    const found = compatNames.find((each) => each === part)
    if (!found) throw new Fault(`must name ${compatNames.join(', ')}, with commas between them`)
    return found
  }),
)

export const plain = {
  port: integer({
    name: 'KILN_PORT',
    default: 8080,
    range: [0, 65_535],
    meaning: 'Port of the HTTP server.',
  }),
  host: text({
    name: 'KILN_HOST',
    default: '127.0.0.1',
    meaning: 'Address to listen on; `0.0.0.0` serves other machines.',
  }),
  prefix: formed({
    name: 'KILN_PREFIX',
    default: '/api',
    fits: (value) => /^(\/[A-Za-z0-9._~-]+)+$/.test(value) && !reserved.test(value),
    must: `start with a slash, name something and not end with a slash, like /api; ${reservedNames.map((name) => `/${name}`).join(', ')} are taken by the service itself`,
    meaning: 'Path prefix of the interface; part of the base address.',
  }),
  publicUrl: formed({
    name: 'KILN_PUBLIC_URL',
    default: null,
    shown: 'http://localhost:PORT',
    fits: (value) => isOrigin(value.replace(/\/$/, '')),
    must: 'be an origin, like https://kiln.example.com',
    meaning: 'Origin under which clients reach the service, for links.',
  }),
  trustedProxies: addresses({
    name: 'KILN_TRUSTED_PROXIES',
    default: [],
    meaning: 'Proxies whose `X-Forwarded-For` is trusted.',
  }),
  dataDir: text({
    name: 'KILN_DATA_DIR',
    default: defaultDataDir,
    shown: '/var/lib/kiln as root, else ~/.local/share/kiln',
    meaning: 'Folder of database, files and scratch directories.',
  }),
  databaseUrl: formed({
    name: 'DATABASE_URL',
    default: null,
    shown: 'a private PostgreSQL',
    fits: (value) => /^postgres(ql)?:\/\//.test(value),
    must: 'start with postgres:// or postgresql://',
    meaning: 'An existing PostgreSQL.',
  }),
  workerDatabaseUrl: formed({
    name: 'KILN_WORKER_DATABASE_URL',
    default: null,
    fits: (value) => /^postgres(ql)?:\/\/[^:@/]+:[^@]+@/.test(value),
    must: 'be like postgresql://kiln_worker:password@host/kiln',
    meaning:
      'For the API: the `DATABASE_URL` of the workers. Each start creates its role, if possible, and grants it what a worker needs.',
  }),
  /** Null: workers cannot request files from this API. */
  workerToken: secret({
    name: 'KILN_WORKER_TOKEN',
    default: null,
    shortest: 32,
    meaning: 'For the API and its workers: the secret with which workers get links to files.',
  }),
  workerApiUrl: formed({
    name: 'KILN_WORKER_API_URL',
    default: null,
    fits: (value) => isOrigin(value.replace(/\/$/, '')),
    must: 'be an origin, like http://api:8080',
    meaning: 'For workers: address of the API.',
  }),
  freeJobsPerMonth: integer({
    name: 'KILN_FREE_JOBS_PER_MONTH',
    default: 50,
    range: [0, 1_000_000_000],
    meaning: 'Free conversions per account and calendar month.',
  }),
  pairs: offeredPairs({
    name: 'KILN_PAIRS',
    default: allPairs.map(({ slug }) => slug),
    shown: 'all',
    meaning: 'Offered pairs: `docx-to-pdf,*-to-md`, or all but some: `!*-to-mp4,!*-to-gif`.',
  }),
  prices: pairPrices({
    name: 'KILN_PRICES',
    default: {},
    shown: 'those of the catalogue',
    meaning: 'Credits of pairs: `*-to-mp4=6,docx-to-pdf=2`; the last that fits counts.',
  }),
  fonts: text({
    name: 'KILN_FONTS',
    default: null,
    meaning: 'Folder of fonts for all engines.',
  }),
  uploadTtlSeconds: integer({
    name: 'KILN_UPLOAD_TTL_SECONDS',
    default: 3600,
    range: [1, 7 * day],
    meaning: 'Validity of an upload link.',
  }),
  outputTtlSeconds: integer({
    name: 'KILN_OUTPUT_TTL_SECONDS',
    default: 3600,
    range: [1, 7 * day],
    meaning: 'Retention of outputs.',
  }),
  recordTtlSeconds: integer({
    name: 'KILN_RECORD_TTL_SECONDS',
    default: 30 * day,
    range: [1, 3650 * day],
    meaning:
      'Retention of the records of ended jobs with their `Idempotency-Key` (30 days; warns below a day).',
  }),
  sweepIntervalSeconds: integer({
    name: 'KILN_SWEEP_INTERVAL_SECONDS',
    default: 30,
    range: [1, 60],
    meaning: 'Interval at which expired files are removed and storage is compared with the database.',
  }),
  submitRatePerMinute: integer({
    name: 'KILN_SUBMIT_RATE_PER_MINUTE',
    default: 600,
    range: [1, 1_000_000_000],
    meaning: 'Submits per minute and account (or parent with its accounts), for each API process.',
  }),
  pollRatePerMinute: integer({
    name: 'KILN_POLL_RATE_PER_MINUTE',
    default: 120_000,
    range: [1, 1_000_000_000],
    meaning: 'The same for polls and usage calls.',
  }),
  agentCpuSecondsPerMinute: integer({
    name: 'KILN_AGENT_CPU_SECONDS_PER_MINUTE',
    default: 6,
    range: [1, 1_000_000],
    meaning:
      'The same for CPU seconds of agent calls and JSON of docling-serve and Tika, beside conversions; a quarter of it at once.',
  }),
  rateWindowSeconds: integer({
    name: 'KILN_RATE_WINDOW_SECONDS',
    default: 60,
    range: [1, 3600],
    meaning: 'Window of submit and poll rates; a shorter one allows shorter bursts.',
  }),
  maxWaitingJobs: integer({
    name: 'KILN_MOST_WAITING_JOBS',
    default: 10_000,
    range: [1, 100_000_000],
    meaning: 'Past so many waiting jobs, new ones get 503.',
  }),
  drainSeconds: integer({
    name: 'KILN_DRAIN_SECONDS',
    default: 20,
    range: [0, 3600],
    meaning: 'How long a stopping worker lets jobs finish before they go back to the queue.',
  }),
  /** Null: the default of the process. */
  stopNoticeSeconds: integer({
    name: 'KILN_STOP_NOTICE_SECONDS',
    default: null,
    shown: '3 for `api`, else 0',
    range: [0, 300],
    meaning: 'How long a stopping API accepts requests while `/readyz` answers 503.',
  }),
  databaseConnections: integer({
    name: 'KILN_DATABASE_CONNECTIONS',
    default: 20,
    range: [2, 500],
    meaning: 'Connections of a process to PostgreSQL.',
  }),
  logLevel: choice({
    name: 'KILN_LOG_LEVEL',
    default: 'info',
    of: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    meaning: 'fatal, error, warn, info, debug or trace.',
  }),
  /** Null: the password that was generated or set before stays valid. */
  operatorPassword: secret({
    name: 'KILN_OPERATOR_PASSWORD',
    default: null,
    shown: 'made at the first start',
    shortest: 10,
    meaning: 'Password of the operator console; a new one ends all sessions.',
  }),
  consoleSessionSeconds: integer({
    name: 'KILN_CONSOLE_SESSION_SECONDS',
    default: day / 2,
    range: [1, 30 * day],
    meaning: 'Length of a session of the console (12 hours).',
  }),
  webSessionSeconds: integer({
    name: 'KILN_WEB_SESSION_SECONDS',
    default: 7 * day,
    range: [60, 365 * day],
    meaning: 'Length of a session of the web app (7 days).',
  }),
  userHeader: formed({
    name: 'KILN_USER_HEADER',
    default: null,
    ...headerName,
    meaning: 'Header in which a trusted proxy names the signed-in user ([sign in](web-app.md#sign-in)).',
  }),
  guestAccess: flag({
    name: 'KILN_GUEST_ACCESS',
    default: false,
    meaning: '`1` allows conversions in the web app without a sign-in.',
  }),
  guestConversionsPerDay: integer({
    name: 'KILN_GUEST_CONVERSIONS_PER_DAY',
    default: 10,
    range: [1, 1_000_000],
    meaning: 'Conversions of guests per network address and day (UTC).',
  }),
  guestMaxBytes: integer({
    name: 'KILN_GUEST_MAX_BYTES',
    default: 10 * 1024 ** 2,
    range: [1, 1024 ** 4],
    meaning: 'Largest file of a guest (10 MB).',
  }),
  /** Null: metrics can be read from this machine only. */
  metricsToken: secret({
    name: 'KILN_METRICS_TOKEN',
    default: null,
    shown: 'none: loopback only',
    shortest: 16,
    meaning: 'Bearer token for `/metrics`.',
  }),
  metricsPort: integer({
    name: 'KILN_METRICS_PORT',
    default: null,
    range: [1, 65_535],
    meaning: 'Port of `/metrics` of `npm run worker`.',
  }),
  otlpEndpoint: formed({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: null,
    shown: 'none: no traces',
    fits: URL.canParse,
    must: 'be an address, like http://localhost:4318',
    meaning: 'OpenTelemetry collector (OTLP over HTTP) for [traces](metrics.md#traces).',
  }),
  waitingDocuments: integer({
    name: 'KILN_WAITING_DOCUMENTS',
    default: 1,
    range: [0, 64],
    meaning: '[Pre-warmed](prewarmed-processes.md) documents per engine; 0 for machines with little memory.',
  }),
  webhooksToPrivate: flag({
    name: 'KILN_WEBHOOKS_TO_PRIVATE',
    default: false,
    meaning: '`1` allows webhooks to private, loopback and reserved addresses.',
  }),
  compat: compatApis({
    name: 'KILN_COMPAT',
    default: [],
    meaning: '[APIs of other services](compatibility.md): `gotenberg,tika,docling`.',
  }),
  compatPort: integer({
    name: 'KILN_COMPAT_PORT',
    default: 3000,
    range: [0, 65_535],
    meaning: 'Port of these APIs, at `KILN_HOST`.',
  }),
  /** Null: every caller needs a key. */
  compatKey: secret({
    name: 'KILN_COMPAT_KEY',
    default: null,
    shortest: 16,
    meaning: 'API key for callers of these APIs without one: anyone who reaches the port spends its credits.',
  }),
  compatMaxBytes: integer({
    name: 'KILN_COMPAT_MAX_BYTES',
    default: 100 * 1024 * 1024,
    range: [1024, 10 * 1024 ** 3],
    meaning: 'Largest request to these APIs (100 MB); each file keeps the limit of its pair.',
  }),
  allowUnsandboxed: flag({
    name: 'KILN_ALLOW_UNSANDBOXED',
    default: false,
    meaning: '`1` starts without a sandbox where none works: only for development.',
  }),
}

const slotsOf = (lane: Lane, shown: string, count: number, what: string) =>
  integer({
    name: `KILN_SLOTS_${lane.toUpperCase()}`,
    default: count,
    shown,
    range: [1, 256],
    meaning: `${what} converted at once by a worker.`,
  })

export const slots: Record<Lane, Setting<number>> = {
  office: slotsOf('office', 'cores', cores, 'Office documents'),
  document: slotsOf('document', 'cores', cores, 'Interchange documents'),
  pdf: slotsOf('pdf', 'half the cores', Math.max(1, Math.floor(cores / 2)), 'PDF inputs'),
  video: slotsOf('video', '1', 1, 'Videos'),
}

export const s3 = {
  bucket: text({
    name: 'KILN_S3_BUCKET',
    default: null,
    shown: 'files in the data folder',
    meaning: 'S3 bucket for inputs and outputs.',
  }),
  endpoint: formed({
    name: 'KILN_S3_ENDPOINT',
    default: null,
    shown: 'AWS',
    fits: URL.canParse,
    must: 'be an address, like https://s3.example.com',
    meaning: 'Address of the S3 store.',
  }),
  publicEndpoint: formed({
    name: 'KILN_S3_PUBLIC_ENDPOINT',
    default: null,
    shown: 'KILN_S3_ENDPOINT',
    fits: URL.canParse,
    must: 'be an address, like https://s3.example.com',
    meaning: 'Its address for clients.',
  }),
  region: text({ name: 'KILN_S3_REGION', default: 'us-east-1', meaning: 'Region of the bucket.' }),
  accessKeyId: text({
    name: 'KILN_S3_ACCESS_KEY_ID',
    default: null,
    meaning: 'Access key of the bucket.',
  }),
  secretAccessKey: secret({
    name: 'KILN_S3_SECRET_ACCESS_KEY',
    default: null,
    shortest: 1,
    meaning: 'Its secret.',
  }),
  pathStyle: flag({
    name: 'KILN_S3_PATH_STYLE',
    default: null,
    shown: '1 with an endpoint',
    meaning: '`1` puts the bucket into the path, `0` into the host name.',
  }),
  prefix: text({
    name: 'KILN_S3_PREFIX',
    default: '',
    shown: 'none',
    meaning: 'Prefix of object names, like `kiln/`.',
  }),
}

export const settings: readonly Setting<unknown>[] = [plain, slots, s3].flatMap((part) =>
  Object.values<Setting<unknown>>(part),
)

function defaultDataDir(env: Environment): string {
  if (process.getuid?.() === 0) return '/var/lib/kiln'
  return join(env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local', 'share'), 'kiln')
}

// The table of settings for people, in docs/configuration.md. `npm run generate` puts it in its place.

/** `text` with its table regenerated. */
export const withSettingsTable = (text: string): string =>
  text.replace(/^\| Setting \|.*\n(?:\|.*\n)*/m, () => `${settingsTable()}\n`)

const settingsTable = (): string =>
  [
    '| Setting | Default | Meaning |',
    '|---|---|---|',
    ...settings.map(({ name, default: value, meaning }) => `| \`${name}\` | ${value} | ${meaning} |`),
  ].join('\n')

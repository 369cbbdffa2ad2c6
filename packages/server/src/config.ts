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
  type Setting,
  secret,
  text,
} from './setting-kinds.ts'
import { offeredPairs, pairPrices } from './setting-pairs.ts'
import type { S3Settings } from './storage/s3/s3-settings.ts'

// The only reader of process.env. A setting is one entry of this table: its name, its kind with bounds, its
// default and its meaning. The type `Config`, the checks and docs/configuration.md all come from it.
// All faults are reported at once, so that an operator mends them in one go.

const day = 86_400
const cores = availableParallelism()
const reservedNames = ['files', 'healthz', 'readyz', 'console', 'assets', 'pages', 'status', 'metrics']
const reserved = new RegExp(`^/(${reservedNames.join('|')})(/|$)`)

const plain = {
  port: integer({
    name: 'KILN_PORT',
    ...{ default: 8080, from: 0, to: 65_535 },
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
    meaning: 'Origin under which clients reach the service; upload and download links start with it.',
  }),
  trustedProxies: addresses({
    name: 'KILN_TRUSTED_PROXIES',
    default: [],
    shown: 'none',
    meaning:
      'Addresses of the proxies before the service. From them alone `X-Forwarded-For` is believed; sign-ins are counted per address.',
  }),
  dataDir: text({
    name: 'KILN_DATA_DIR',
    default: defaultDataDir,
    shown: '/var/lib/kiln as root, else ~/.local/share/kiln',
    meaning: 'Folder of the private database, the files and the scratch space.',
  }),
  databaseUrl: formed({
    name: 'DATABASE_URL',
    default: null,
    shown: 'a private PostgreSQL',
    fits: (value) => /^postgres(ql)?:\/\//.test(value),
    must: 'start with postgres:// or postgresql://',
    meaning: 'An existing PostgreSQL to use instead.',
  }),
  freeJobsPerMonth: integer({
    name: 'KILN_FREE_JOBS_PER_MONTH',
    ...{ default: 50, from: 0, to: 1_000_000_000 },
    meaning: 'Free conversions per account and calendar month (UTC).',
  }),
  pairs: offeredPairs({
    name: 'KILN_PAIRS',
    ...{ default: allPairs.map(({ slug }) => slug), shown: 'all' },
    meaning:
      'The pairs that are offered, with commas between them. `*` stands for any format, and `!` takes away: `docx-to-pdf,*-to-md` or `!*-to-mp4`. Engines that no pair needs are not started.',
  }),
  prices: pairPrices({
    name: 'KILN_PRICES',
    ...{ default: {}, shown: 'those of the catalogue' },
    meaning: 'Credits of pairs, such as `*-to-mp4=6,docx-to-pdf=2`; of two that fit, the later one counts.',
  }),
  fonts: text({
    name: 'KILN_FONTS',
    ...{ default: null, shown: 'none' },
    meaning:
      'A folder of your own fonts, which every engine uses beside those of the system. It is looked at every few seconds: a font that is put there serves the next document.',
  }),
  uploadTtlSeconds: integer({
    name: 'KILN_UPLOAD_TTL_SECONDS',
    ...{ default: 3600, from: 1, to: 7 * day },
    meaning: 'How long an upload link works.',
  }),
  outputTtlSeconds: integer({
    name: 'KILN_OUTPUT_TTL_SECONDS',
    ...{ default: 3600, from: 1, to: 7 * day },
    meaning: 'How long an output and its link are kept.',
  }),
  recordTtlSeconds: integer({
    name: 'KILN_RECORD_TTL_SECONDS',
    ...{ default: 30 * day, from: 1, to: 3650 * day },
    meaning:
      'How long the record of an ended job is kept (30 days). Less than a day breaks the promise that an `Idempotency-Key` is remembered for one, and is warned of.',
  }),
  sweepIntervalSeconds: integer({
    name: 'KILN_SWEEP_INTERVAL_SECONDS',
    ...{ default: 30, from: 1, to: 60 },
    meaning: 'How often storage and table are compared and expired things removed.',
  }),
  submitRatePerMinute: integer({
    name: 'KILN_SUBMIT_RATE_PER_MINUTE',
    ...{ default: 600, from: 1, to: 1_000_000_000 },
    meaning: 'Submits per account and minute, for each API process.',
  }),
  pollRatePerMinute: integer({
    name: 'KILN_POLL_RATE_PER_MINUTE',
    ...{ default: 120_000, from: 1, to: 1_000_000_000 },
    meaning: 'Polls and usage calls per account and minute, for each API process.',
  }),
  mostWaitingJobs: integer({
    name: 'KILN_MOST_WAITING_JOBS',
    ...{ default: 10_000, from: 1, to: 100_000_000 },
    meaning: 'When so many jobs wait, new ones are refused with 503.',
  }),
  drainSeconds: integer({
    name: 'KILN_DRAIN_SECONDS',
    ...{ default: 20, from: 0, to: 3600 },
    meaning: 'How long a stopping worker lets running jobs finish before it hands them back.',
  }),
  /** Null: the process itself knows best. */
  stopNoticeSeconds: integer({
    name: 'KILN_STOP_NOTICE_SECONDS',
    ...{ default: null, shown: '3 for `api`, else 0', from: 0, to: 300 },
    meaning:
      'How long a stopping API still takes requests after `/readyz` has said no, so that balancers notice.',
  }),
  databaseConnections: integer({
    name: 'KILN_DATABASE_CONNECTIONS',
    ...{ default: 20, from: 2, to: 500 },
    meaning: 'Connections that a process keeps to PostgreSQL.',
  }),
  logLevel: choice({
    name: 'KILN_LOG_LEVEL',
    default: 'info',
    of: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    meaning: 'fatal, error, warn, info, debug or trace.',
  }),
  /** Null: the one that was made or set before. */
  operatorPassword: secret({
    name: 'KILN_OPERATOR_PASSWORD',
    ...{ default: null, shown: 'made at the first start', shortest: 10 },
    meaning: 'Password of the operator console; replaces the one before and ends its sessions.',
  }),
  consoleSessionSeconds: integer({
    name: 'KILN_CONSOLE_SESSION_SECONDS',
    ...{ default: day / 2, from: 1, to: 30 * day },
    meaning: 'How long a sign-in to the console lasts (12 hours).',
  }),
  /** Null: metrics are for this machine alone. */
  metricsToken: secret({
    name: 'KILN_METRICS_TOKEN',
    ...{ default: null, shown: 'none: loopback only', shortest: 16 },
    meaning: 'Bearer token that `/metrics` asks for.',
  }),
  metricsPort: integer({
    name: 'KILN_METRICS_PORT',
    ...{ default: null, shown: 'none', from: 1, to: 65_535 },
    meaning: 'Port on which `npm run worker` serves its own `/metrics`.',
  }),
  otlpEndpoint: formed({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: null,
    shown: 'none: no traces',
    fits: URL.canParse,
    must: 'be an address, like http://localhost:4318',
    meaning: 'Address of an OpenTelemetry collector (OTLP over HTTP) that gets a trace per job.',
  }),
  waitingDocuments: integer({
    name: 'KILN_WAITING_DOCUMENTS',
    ...{ default: 1, from: 0, to: 64 },
    meaning:
      'For how many documents each engine waits, started ahead; together they hold an eighth of the memory at most. 0 starts programs, LibreOffice too, when their document comes: for machines with little memory.',
  }),
  webhooksToPrivate: flag({
    name: 'KILN_WEBHOOKS_TO_PRIVATE',
    ...{ default: false, shown: '0' },
    meaning:
      '`1` lets webhooks go to private, loopback and reserved addresses, for receivers in your own network.',
  }),
  allowUnsandboxed: flag({
    name: 'KILN_ALLOW_UNSANDBOXED',
    ...{ default: false, shown: '0' },
    meaning: '`1` lets engines run without a sandbox where none works. Only for development.',
  }),
}

const slotsOf = (lane: Lane, shown: string, count: number, what: string) =>
  integer({
    name: `KILN_SLOTS_${lane.toUpperCase()}`,
    ...{ default: count, shown, from: 1, to: 256 },
    meaning: `${what} converted at once by a worker.`,
  })

const slots: Record<Lane, Setting<number>> = {
  office: slotsOf('office', 'cores', cores, 'Office documents'),
  document: slotsOf('document', 'cores', cores, 'Interchange documents'),
  pdf: slotsOf('pdf', 'half the cores', Math.max(1, Math.floor(cores / 2)), 'PDF inputs'),
  video: slotsOf('video', '1', 1, 'Videos'),
}

const s3 = {
  bucket: text({
    name: 'KILN_S3_BUCKET',
    ...{ default: null, shown: 'files in the data folder' },
    meaning: 'Keep inputs and outputs in this S3 bucket.',
  }),
  endpoint: formed({
    name: 'KILN_S3_ENDPOINT',
    ...{
      default: null,
      shown: 'AWS',
      fits: URL.canParse,
      must: 'be an address, like https://s3.example.com',
    },
    meaning: 'Address of another S3 store than AWS.',
  }),
  publicEndpoint: formed({
    name: 'KILN_S3_PUBLIC_ENDPOINT',
    ...{ default: null, shown: 'KILN_S3_ENDPOINT' },
    ...{ fits: URL.canParse, must: 'be an address, like https://s3.example.com' },
    meaning: 'Address under which clients reach the store, if it is another.',
  }),
  region: text({ name: 'KILN_S3_REGION', default: 'us-east-1', meaning: 'Region of the bucket.' }),
  accessKeyId: text({
    name: 'KILN_S3_ACCESS_KEY_ID',
    ...{ default: null, shown: 'none' },
    meaning: 'Access key of the bucket.',
  }),
  secretAccessKey: secret({
    name: 'KILN_S3_SECRET_ACCESS_KEY',
    ...{ default: null, shown: 'none', shortest: 1 },
    meaning: 'Its secret.',
  }),
  pathStyle: flag({
    name: 'KILN_S3_PATH_STYLE',
    ...{ default: null, shown: '1 with an endpoint' },
    meaning: '`1` puts the bucket into the path, `0` into the host name.',
  }),
  prefix: text({
    name: 'KILN_S3_PREFIX',
    ...{ default: '', shown: 'none' },
    meaning: 'Put before the name of every object, like `kiln/`.',
  }),
}

type Table = Readonly<Record<string, Setting<unknown>>>
type Values<Of extends Table> = { readonly [Name in keyof Of]: ReturnType<Of[Name]['parse']> }

export const settings: readonly Setting<unknown>[] = [plain, slots, s3].flatMap((part) =>
  Object.values<Setting<unknown>>(part),
)

export interface Config extends Omit<Values<typeof plain>, 'publicUrl'> {
  readonly publicUrl: string
  readonly slots: Values<typeof slots>
  /** Null when files are kept in the data folder. */
  readonly s3: S3Settings | null
  /** Started by npm: then the death of npm is a closed terminal to us. */
  readonly underNpm: boolean
  /** A socket that listens already: whoever started us has opened it, as systemd does. */
  readonly listeningDescriptor: number | null
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export const readConfig = (): Config => parseConfig(process.env)

/** What root gives to the service that it starts as another user: the same, without its own home. */
export const environmentOf = (user: string, dataDir: string): Record<string, string> => ({
  ...(process.env as Record<string, string>),
  ...{ USER: user, LOGNAME: user, HOME: dataDir, KILN_DATA_DIR: dataDir },
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: join(dataDir, 'cache', 'compiled') }),
})

export function parseConfig(env: Environment): Config {
  const faults = unknownNames(env)
  const values = readAll(plain, env, faults)
  const config: Config = {
    ...values,
    publicUrl: values.publicUrl?.replace(/\/$/, '') ?? `http://localhost:${values.port}`,
    slots: readAll(slots, env, faults),
    s3: readS3(env, faults),
    underNpm: env.npm_lifecycle_event !== undefined,
    listeningDescriptor: env.LISTEN_FDS === '1' && env.LISTEN_PID === String(process.pid) ? 3 : null,
  }
  if (faults.length > 0) throw new ConfigError(`The configuration has faults:\n- ${faults.join('\n- ')}`)
  return Object.freeze(config)
}

function readAll<Of extends Table>(table: Of, env: Environment, faults: string[]): Values<Of> {
  const read = Object.entries(table).map(([key, setting]) => [key, readOne(setting, env, faults)])
  return Object.fromEntries(read) as Values<Of>
}

function readOne(setting: Setting<unknown>, env: Environment, faults: string[]): unknown {
  const given = env[setting.name]
  if (given) {
    try {
      return setting.parse(given)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      faults.push(`${setting.name} is ${setting.isSecret ? 'set' : `"${given}"`}, but ${error.message}.`)
    }
  }
  return setting.fallback(env)
}

// Names that belong to the clients and the tests, which may run in the same environment.
const foreignNames = /^KILN_(E2E|BENCH|URL$|API_KEY$)/

function unknownNames(env: Environment): string[] {
  const known = new Set(settings.map(({ name }) => name))
  return Object.keys(env)
    .filter((name) => name.startsWith('KILN_') && !known.has(name) && !foreignNames.test(name))
    .map((name) => `${name} is not a setting of Kiln. Was it misspelt?`)
}

function readS3(env: Environment, faults: string[]): S3Settings | null {
  const { bucket, accessKeyId, secretAccessKey, ...values } = readAll(s3, env, faults)
  if (bucket === null) {
    const given = Object.values(s3).filter(({ name }) => env[name])
    if (given.length > 0)
      faults.push(`${given.map(({ name }) => name).join(', ')} set, but ${s3.bucket.name} is not.`)
    return null
  }
  for (const { name } of [s3.accessKeyId, s3.secretAccessKey])
    if (!env[name]) faults.push(`${name} is missing; a bucket needs it.`)
  return {
    ...values,
    bucket,
    accessKeyId: accessKeyId ?? '',
    secretAccessKey: secretAccessKey ?? '',
    pathStyle: values.pathStyle ?? values.endpoint !== null,
  }
}

function defaultDataDir(env: Environment): string {
  if (process.getuid?.() === 0) return '/var/lib/kiln'
  return join(env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local', 'share'), 'kiln')
}

/** What an operator may want and is allowed to, though it breaks a promise of the interface. */
export function findBrokenPromises({ recordTtlSeconds, host, publicUrl }: Config): string[] {
  const isLoopback = (name: string) => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(name)
  const warnings: string[] = []
  if (recordTtlSeconds < day) {
    warnings.push(
      `KILN_RECORD_TTL_SECONDS is ${recordTtlSeconds}: an Idempotency-Key is forgotten after that time, though clients may rely on 24 hours.`,
    )
  }
  if (!isLoopback(host) && isLoopback(new URL(publicUrl).hostname)) {
    warnings.push(
      `KILN_HOST is ${host}, but links start with ${publicUrl}, which other machines cannot reach. Set KILN_PUBLIC_URL to the address that clients use.`,
    )
  }
  return warnings
}

import { availableParallelism, homedir } from 'node:os'
import { join } from 'node:path'
import { type Lane, lanes } from '@kiln/converter/catalog'
import type { S3Settings } from './storage/s3/s3-settings.ts'

// The only reader of process.env. Every setting stands in this table, with its default and its
// meaning; docs/configuration.md is the same table for people, and a test holds the two together.
// All faults are reported at once, so that an operator mends them in one go.

interface Setting {
  name: string
  /** Shown in the documentation; the value itself is computed in parse(). */
  default: string
  meaning: string
}

export const settings: readonly Setting[] = [
  { name: 'KILN_PORT', default: '8080', meaning: 'Port of the HTTP server.' },
  {
    name: 'KILN_HOST',
    default: '127.0.0.1',
    meaning: 'Address to listen on; `0.0.0.0` serves other machines.',
  },
  {
    name: 'KILN_PREFIX',
    default: '/api',
    meaning: 'Path prefix of the interface; part of the base address.',
  },
  {
    name: 'KILN_PUBLIC_URL',
    default: 'http://localhost:PORT',
    meaning: 'Origin under which clients reach the service; upload and download links start with it.',
  },
  {
    name: 'KILN_DATA_DIR',
    default: '/var/lib/kiln as root, else ~/.local/share/kiln',
    meaning: 'Folder of the private database, the files and the scratch space.',
  },
  {
    name: 'DATABASE_URL',
    default: 'a private PostgreSQL',
    meaning: 'An existing PostgreSQL to use instead.',
  },
  {
    name: 'KILN_FREE_JOBS_PER_MONTH',
    default: '50',
    meaning: 'Free conversions per account and calendar month (UTC).',
  },
  { name: 'KILN_UPLOAD_TTL_SECONDS', default: '3600', meaning: 'How long an upload link works.' },
  { name: 'KILN_OUTPUT_TTL_SECONDS', default: '3600', meaning: 'How long an output and its link are kept.' },
  {
    name: 'KILN_RECORD_TTL_SECONDS',
    default: '2592000',
    meaning: 'How long the record of an ended job is kept (30 days).',
  },
  {
    name: 'KILN_SWEEP_INTERVAL_SECONDS',
    default: '30',
    meaning: 'How often storage and table are compared and expired things removed.',
  },
  {
    name: 'KILN_SUBMIT_RATE_PER_MINUTE',
    default: '600',
    meaning: 'Submits per account and minute, for each API process.',
  },
  {
    name: 'KILN_POLL_RATE_PER_MINUTE',
    default: '120000',
    meaning: 'Polls and usage calls per account and minute, for each API process.',
  },
  {
    name: 'KILN_MOST_WAITING_JOBS',
    default: '10000',
    meaning: 'When so many jobs wait, new ones are refused with 503.',
  },
  { name: 'KILN_SLOTS_OFFICE', default: 'cores', meaning: 'Office documents converted at once by a worker.' },
  {
    name: 'KILN_SLOTS_DOCUMENT',
    default: 'cores',
    meaning: 'Interchange documents converted at once by a worker.',
  },
  { name: 'KILN_SLOTS_PDF', default: 'half the cores', meaning: 'PDF inputs converted at once by a worker.' },
  { name: 'KILN_SLOTS_VIDEO', default: '1', meaning: 'Videos converted at once by a worker.' },
  {
    name: 'KILN_DRAIN_SECONDS',
    default: '20',
    meaning: 'How long a stopping worker lets running jobs finish before it hands them back.',
  },
  {
    name: 'KILN_STOP_NOTICE_SECONDS',
    default: '3 for `api`, else 0',
    meaning:
      'How long a stopping API still takes requests after `/readyz` has said no, so that balancers notice.',
  },
  {
    name: 'KILN_DATABASE_CONNECTIONS',
    default: '20',
    meaning: 'Connections that a process keeps to PostgreSQL.',
  },
  { name: 'KILN_LOG_LEVEL', default: 'info', meaning: 'fatal, error, warn, info, debug or trace.' },
  {
    name: 'KILN_OPERATOR_PASSWORD',
    default: 'made at the first start',
    meaning: 'Password of the operator console; replaces the one before and ends its sessions.',
  },
  {
    name: 'KILN_CONSOLE_SESSION_SECONDS',
    default: '43200',
    meaning: 'How long a sign-in to the console lasts (12 hours).',
  },
  {
    name: 'KILN_METRICS_TOKEN',
    default: 'none: loopback only',
    meaning: 'Bearer token that `/metrics` asks for.',
  },
  {
    name: 'KILN_METRICS_PORT',
    default: 'none',
    meaning: 'Port on which `npm run worker` serves its own `/metrics`.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: 'none: no traces',
    meaning: 'Address of an OpenTelemetry collector (OTLP over HTTP) that gets a trace per job.',
  },
  {
    name: 'KILN_S3_BUCKET',
    default: 'files in the data folder',
    meaning: 'Keep inputs and outputs in this S3 bucket.',
  },
  { name: 'KILN_S3_ENDPOINT', default: 'AWS', meaning: 'Address of another S3 store than AWS.' },
  {
    name: 'KILN_S3_PUBLIC_ENDPOINT',
    default: 'KILN_S3_ENDPOINT',
    meaning: 'Address under which clients reach the store, if it is another.',
  },
  { name: 'KILN_S3_REGION', default: 'us-east-1', meaning: 'Region of the bucket.' },
  { name: 'KILN_S3_ACCESS_KEY_ID', default: 'none', meaning: 'Access key of the bucket.' },
  { name: 'KILN_S3_SECRET_ACCESS_KEY', default: 'none', meaning: 'Its secret.' },
  {
    name: 'KILN_S3_PATH_STYLE',
    default: '1 with an endpoint',
    meaning: '`1` puts the bucket into the path, `0` into the host name.',
  },
  { name: 'KILN_S3_PREFIX', default: 'none', meaning: 'Put before the name of every object, like `kiln/`.' },
  {
    name: 'KILN_ALLOW_UNSANDBOXED',
    default: '0',
    meaning: '`1` lets engines run without a sandbox where none works. Only for development.',
  },
]

export interface Config {
  port: number
  host: string
  prefix: string
  publicUrl: string
  dataDir: string
  databaseUrl: string | null
  databaseConnections: number
  freeJobsPerMonth: number
  uploadTtlSeconds: number
  outputTtlSeconds: number
  recordTtlSeconds: number
  sweepIntervalSeconds: number
  submitRatePerMinute: number
  pollRatePerMinute: number
  slots: Readonly<Record<Lane, number>>
  mostWaitingJobs: number
  drainSeconds: number
  /** Null where the process itself knows best. */
  stopNoticeSeconds: number | null
  logLevel: string
  /** Null: the one that was made or set before. */
  operatorPassword: string | null
  consoleSessionSeconds: number
  /** Null: metrics are for this machine alone. */
  metricsToken: string | null
  metricsPort: number | null
  /** Null: no traces. */
  otlpEndpoint: string | null
  allowUnsandboxed: boolean
  /** Null when files are kept in the data folder. */
  s3: S3Settings | null
  /** Started by npm: then the death of npm is a closed terminal to us. */
  underNpm: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export const readConfig = (): Config => parseConfig(process.env)

export function parseConfig(env: Environment): Config {
  const faults: string[] = []
  const text = (name: string, fallback: string) => env[name] || fallback
  const integer = (name: string, fallback: number, min: number, max: number) => {
    const value = env[name]
    if (value === undefined || value === '') return fallback
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= min && number <= max) return number
    faults.push(`${name} is "${value}", but must be a whole number from ${min} to ${max}.`)
    return fallback
  }

  const secret = (name: string, shortest: number) => {
    const value = env[name] || null
    if (value !== null && value.length < shortest) {
      faults.push(`${name} is too short; it must have at least ${shortest} characters.`)
    }
    return value
  }

  for (const name of Object.keys(env)) {
    const known = settings.some((setting) => setting.name === name)
    if (name.startsWith('KILN_') && !known && !foreignNames.test(name)) {
      faults.push(`${name} is not a setting of Kiln. Was it misspelt?`)
    }
  }

  const cores = availableParallelism()
  const port = integer('KILN_PORT', 8080, 0, 65535)
  const prefix = text('KILN_PREFIX', '/api')
  if (prefix !== '/' && !/^(\/[A-Za-z0-9._~-]+)+$/.test(prefix)) {
    faults.push(`KILN_PREFIX is "${prefix}", but must start with a slash and not end with one, like /api.`)
  }
  if (reservedPaths.test(prefix)) {
    faults.push(
      `KILN_PREFIX is "${prefix}", but ${reservedNames.map((name) => `/${name}`).join(', ')} are taken by the service itself.`,
    )
  }
  const publicUrl = text('KILN_PUBLIC_URL', `http://localhost:${port}`).replace(/\/$/, '')
  if (!URL.canParse(publicUrl) || new URL(publicUrl).origin !== publicUrl) {
    faults.push(`KILN_PUBLIC_URL is "${publicUrl}", but must be an origin, like https://kiln.example.com.`)
  }
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT && !URL.canParse(env.OTEL_EXPORTER_OTLP_ENDPOINT)) {
    faults.push('OTEL_EXPORTER_OTLP_ENDPOINT must be an address, like http://localhost:4318.')
  }
  const databaseUrl = env.DATABASE_URL || null
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    faults.push('DATABASE_URL must start with postgres:// or postgresql://.')
  }
  const logLevel = text('KILN_LOG_LEVEL', 'info')
  if (!['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].includes(logLevel)) {
    faults.push(
      `KILN_LOG_LEVEL is "${logLevel}", but must be fatal, error, warn, info, debug, trace or silent.`,
    )
  }
  const slot = (lane: Lane, fallback: number) => integer(`KILN_SLOTS_${lane.toUpperCase()}`, fallback, 1, 256)
  const defaultSlots: Record<Lane, number> = {
    office: cores,
    document: cores,
    pdf: Math.max(1, Math.floor(cores / 2)),
    video: 1,
  }

  const config: Config = {
    port,
    host: text('KILN_HOST', '127.0.0.1'),
    prefix: prefix === '/' ? '' : prefix,
    publicUrl,
    dataDir: text('KILN_DATA_DIR', defaultDataDir(env)),
    databaseUrl,
    databaseConnections: integer('KILN_DATABASE_CONNECTIONS', 20, 2, 500),
    freeJobsPerMonth: integer('KILN_FREE_JOBS_PER_MONTH', 50, 0, 1_000_000_000),
    uploadTtlSeconds: integer('KILN_UPLOAD_TTL_SECONDS', 3600, 1, 604_800),
    outputTtlSeconds: integer('KILN_OUTPUT_TTL_SECONDS', 3600, 1, 604_800),
    recordTtlSeconds: integer('KILN_RECORD_TTL_SECONDS', 30 * 86_400, 1, 3650 * 86_400),
    sweepIntervalSeconds: integer('KILN_SWEEP_INTERVAL_SECONDS', 30, 1, 60),
    submitRatePerMinute: integer('KILN_SUBMIT_RATE_PER_MINUTE', 600, 1, 1_000_000_000),
    pollRatePerMinute: integer('KILN_POLL_RATE_PER_MINUTE', 120_000, 1, 1_000_000_000),
    slots: Object.fromEntries(lanes.map((lane) => [lane, slot(lane, defaultSlots[lane])])) as Record<
      Lane,
      number
    >,
    mostWaitingJobs: integer('KILN_MOST_WAITING_JOBS', 10_000, 1, 100_000_000),
    stopNoticeSeconds: env.KILN_STOP_NOTICE_SECONDS ? integer('KILN_STOP_NOTICE_SECONDS', 0, 0, 300) : null,
    drainSeconds: integer('KILN_DRAIN_SECONDS', 20, 0, 3600),
    logLevel,
    operatorPassword: secret('KILN_OPERATOR_PASSWORD', 10),
    consoleSessionSeconds: integer('KILN_CONSOLE_SESSION_SECONDS', 12 * 3600, 1, 30 * 86_400),
    metricsToken: secret('KILN_METRICS_TOKEN', 16),
    metricsPort: integer('KILN_METRICS_PORT', 0, 1, 65535) || null,
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT || null,
    allowUnsandboxed: ['1', 'yes', 'true'].includes(env.KILN_ALLOW_UNSANDBOXED ?? ''),
    s3: parseS3(env, faults),
    underNpm: env.npm_lifecycle_event !== undefined,
  }
  if (faults.length > 0) throw new ConfigError(`The configuration has faults:\n- ${faults.join('\n- ')}`)
  return Object.freeze(config)
}

function parseS3(env: Environment, faults: string[]): S3Settings | null {
  const bucket = env.KILN_S3_BUCKET
  if (!bucket) {
    const given = Object.keys(env).filter((name) => name.startsWith('KILN_S3_') && env[name])
    if (given.length > 0) faults.push(`${given.join(', ')} set, but KILN_S3_BUCKET is not.`)
    return null
  }
  for (const name of ['KILN_S3_ACCESS_KEY_ID', 'KILN_S3_SECRET_ACCESS_KEY']) {
    if (!env[name]) faults.push(`${name} is missing; a bucket needs it.`)
  }
  for (const name of ['KILN_S3_ENDPOINT', 'KILN_S3_PUBLIC_ENDPOINT']) {
    const value = env[name]
    if (value && !URL.canParse(value))
      faults.push(`${name} is "${value}", but must be an address like https://s3.example.com.`)
  }
  return {
    bucket,
    endpoint: env.KILN_S3_ENDPOINT || null,
    publicEndpoint: env.KILN_S3_PUBLIC_ENDPOINT || null,
    region: env.KILN_S3_REGION || 'us-east-1',
    accessKeyId: env.KILN_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.KILN_S3_SECRET_ACCESS_KEY ?? '',
    pathStyle: env.KILN_S3_PATH_STYLE ? env.KILN_S3_PATH_STYLE === '1' : Boolean(env.KILN_S3_ENDPOINT),
    prefix: env.KILN_S3_PREFIX ?? '',
  }
}

// Names that belong to the clients and the tests, which may run in the same environment.
const foreignNames = /^KILN_(E2E|BENCH|URL$|API_KEY$)/
const reservedNames = ['files', 'healthz', 'readyz', 'console', 'assets', 'status', 'metrics'] as const
const reservedPaths = new RegExp(`^/(${reservedNames.join('|')})(/|$)`)

function defaultDataDir(env: Environment): string {
  if (process.getuid?.() === 0) return '/var/lib/kiln'
  return join(env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local', 'share'), 'kiln')
}

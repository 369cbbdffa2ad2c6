import { join } from 'node:path'
import type { S3Settings } from '../storage/s3/s3-storage.ts'
import { type Environment, Fault, type Setting } from './setting-kinds.ts'
import { day, plain, s3, settings, slots } from './settings.ts'

// The only reader of process.env: reads the settings of settings.ts, from which the type `Config` is derived. All
// errors are reported together, so that an operator can fix them in one go.

type Table = Readonly<Record<string, Setting<unknown>>>
type Values<Of extends Table> = { readonly [Name in keyof Of]: ReturnType<Of[Name]['parse']> }

export interface Config extends Omit<Values<typeof plain>, 'publicUrl'> {
  readonly publicUrl: string
  readonly slots: Values<typeof slots>
  /** Null when files are stored in the data folder. */
  readonly s3: S3Settings | null
  /** Whether npm started this process: then the end of npm means that the terminal was closed. */
  readonly underNpm: boolean
  /** A listening socket that the parent process has opened (systemd socket activation). */
  readonly listeningDescriptor: number | null
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export const readConfig = (): Config => parseConfig(process.env)

/**
 * The environment of a service that root starts as another user: the same, without root's home directory, and without a
 * temporary directory that `isUsable` rejects (libpam-tmpdir gives every user a private one).
 */
export const environmentOf = async (
  user: string,
  dataDir: string,
  isUsable: (directory: string) => Promise<boolean>,
): Promise<Record<string, string>> => ({
  ...(await withoutUnusable(process.env as Record<string, string>, isUsable)),
  USER: user,
  LOGNAME: user,
  HOME: dataDir,
  KILN_DATA_DIR: dataDir,
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: join(dataDir, 'cache', 'compiled') }),
})

async function withoutUnusable(
  env: Record<string, string>,
  isUsable: (directory: string) => Promise<boolean>,
): Promise<Record<string, string>> {
  const kept = { ...env }
  for (const name of ['TMPDIR', 'TMP', 'TEMP'])
    if (env[name] !== undefined && !(await isUsable(env[name]))) delete kept[name]
  return kept
}

export function parseConfig(env: Environment): Config {
  const faults = unknownNames(env)
  const values = readAll(plain, env, faults)
  const config: Config = {
    ...values,
    userHeader: values.userHeader?.toLowerCase() ?? null,
    publicUrl: values.publicUrl?.replace(/\/$/, '') ?? `http://localhost:${values.port}`,
    slots: readAll(slots, env, faults),
    s3: readS3(env, faults),
    underNpm: env.npm_lifecycle_event !== undefined,
    listeningDescriptor: env.LISTEN_FDS === '1' && env.LISTEN_PID === String(process.pid) ? 3 : null,
  }
  faults.push(...findExampleSecrets(config))
  if (config.userHeader !== null && config.trustedProxies.length === 0)
    faults.push('KILN_USER_HEADER is set, but KILN_TRUSTED_PROXIES is not: no proxy may set the header.')
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

// Names of the clients and the tests, which may run in the same environment.
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

// Example secrets of the files in deploy/, in this and earlier versions.
const exampleSecret = /replace-me|^(choose-one|choose-another-of-eight-or-more|a-long-random-word)$/i

/** The examples in the deployment files are public: a service that uses one of them is open to anyone. */
function findExampleSecrets(config: Config): string[] {
  const { databaseUrl, workerDatabaseUrl, workerToken, s3, metricsToken, operatorPassword } = config
  const passwordOf = (url: string | null) => url && decodeURIComponent(new URL(url).password)
  const secrets = {
    DATABASE_URL: passwordOf(databaseUrl),
    KILN_WORKER_DATABASE_URL: passwordOf(workerDatabaseUrl),
    KILN_WORKER_TOKEN: workerToken,
    KILN_S3_ACCESS_KEY_ID: s3?.accessKeyId,
    KILN_S3_SECRET_ACCESS_KEY: s3?.secretAccessKey,
    KILN_METRICS_TOKEN: metricsToken,
    KILN_OPERATOR_PASSWORD: operatorPassword,
  }
  return Object.entries(secrets)
    .filter(([, secret]) => exampleSecret.test(secret ?? ''))
    .map(([name]) => `${name} holds the secret of an example, which is public. Choose another one.`)
}

/** Settings that are allowed although they break a promise of the interface. */
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

// The settings that `api` and `worker` processes require: a shared database and bucket. A worker needs no credentials
// for the bucket: it gets links from the API.

const sharedDatabase = 'DATABASE_URL (a PostgreSQL that all processes reach)'

export function requireForApi({ databaseUrl, s3 }: Config): void {
  const missing = [
    ...(databaseUrl ? [] : [sharedDatabase]),
    ...(s3 ? [] : ['KILN_S3_BUCKET (a bucket that all processes reach)']),
  ]
  if (missing.length > 0) throw notAlone('api', missing)
}

/**
 * How a worker accesses the files of its jobs: with links of the API, or, as in earlier versions, directly with the
 * bucket.
 */
export function requireForWorker(config: Config): { apiUrl: string; token: string } | 'bucket' {
  const { databaseUrl, workerApiUrl: apiUrl, workerToken: token, s3 } = config
  if (databaseUrl !== null && apiUrl !== null && token !== null) return { apiUrl, token }
  if (databaseUrl !== null && apiUrl === null && s3 !== null) return 'bucket'
  throw notAlone('worker', [
    ...(databaseUrl ? [] : [sharedDatabase]),
    ...(apiUrl ? [] : ['KILN_WORKER_API_URL (the address of the API)']),
    ...(token ? [] : ['KILN_WORKER_TOKEN (the one of the API)']),
  ])
}

const notAlone = (process: string, missing: readonly string[]) =>
  new ConfigError(
    `npm run ${process} needs ${missing.join(' and ')}. For everything on one machine use npm start.`,
  )

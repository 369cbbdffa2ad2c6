import { type Config, ConfigError } from '../config/config.ts'
import type { GrantedStorageParts } from '../conversions/granted-storage.ts'

// What `api` and `worker` share with others of their kind: a database and a bucket. A worker has no credentials of the
// bucket; it gets links from the API.

const database = 'DATABASE_URL (a PostgreSQL that all processes reach)'

export function requireForApi({ databaseUrl, s3 }: Config): void {
  const missing = [
    ...(databaseUrl ? [] : [database]),
    ...(s3 ? [] : ['KILN_S3_BUCKET (a bucket that all processes reach)']),
  ]
  if (missing.length > 0) throw notAlone('api', missing)
}

export function requireForWorker(config: Config): GrantedStorageParts {
  const { databaseUrl, workerApiUrl: apiUrl, workerToken: token } = config
  if (config.s3)
    throw new ConfigError(
      'A worker gets links from the API and needs no bucket. Remove KILN_S3_BUCKET and its credentials from its settings.',
    )
  if (databaseUrl !== null && apiUrl !== null && token !== null) return { apiUrl, token }
  throw notAlone('worker', [
    ...(databaseUrl ? [] : [database]),
    ...(apiUrl ? [] : ['KILN_WORKER_API_URL (the address of the API)']),
    ...(token ? [] : ['KILN_WORKER_TOKEN (the one of the API)']),
  ])
}

const notAlone = (process: string, missing: readonly string[]) =>
  new ConfigError(
    `npm run ${process} needs ${missing.join(' and ')}. For everything on one machine use npm start.`,
  )

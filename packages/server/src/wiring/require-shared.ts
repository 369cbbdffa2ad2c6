import { type Config, ConfigError } from '../config/config.ts'
import type { GrantedStorageParts } from '../conversions/granted-storage.ts'

// The settings that `api` and `worker` processes require: a shared database and bucket. A worker needs no credentials
// for the bucket: it gets links from the API.

const database = 'DATABASE_URL (a PostgreSQL that all processes reach)'

export function requireForApi({ databaseUrl, s3 }: Config): void {
  const missing = [
    ...(databaseUrl ? [] : [database]),
    ...(s3 ? [] : ['KILN_S3_BUCKET (a bucket that all processes reach)']),
  ]
  if (missing.length > 0) throw notAlone('api', missing)
}

/**
 * How a worker accesses the files of its jobs: with links of the API, or, as in earlier versions, directly with the
 * bucket.
 */
export function requireForWorker(config: Config): GrantedStorageParts | 'bucket' {
  const { databaseUrl, workerApiUrl: apiUrl, workerToken: token, s3 } = config
  if (databaseUrl !== null && apiUrl !== null && token !== null) return { apiUrl, token }
  if (databaseUrl !== null && apiUrl === null && s3 !== null) return 'bucket'
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

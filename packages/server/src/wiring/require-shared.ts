import { type Config, ConfigError } from '../config/config.ts'

/** `api` and `worker` share a database and a bucket with others of their kind, and nothing else. */
export function requireShared(config: Config, process: string): void {
  const missing = [
    ...(config.databaseUrl ? [] : ['DATABASE_URL (a PostgreSQL that all processes reach)']),
    ...(config.s3 ? [] : ['KILN_S3_BUCKET (a bucket that all processes reach)']),
  ]
  if (missing.length === 0) return
  throw new ConfigError(
    `npm run ${process} needs ${missing.join(' and ')}. For everything on one machine use npm start.`,
  )
}

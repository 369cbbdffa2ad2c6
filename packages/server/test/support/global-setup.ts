import type { TestProject } from 'vitest/node'
import { startTemporaryPostgres } from './temporary-postgres.ts'

/** Runs once before the integration tests: the PostgreSQL that they share. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTemporaryPostgres()
  project.provide('postgresUrl', postgres.connectionString)
  return () => postgres.stop()
}

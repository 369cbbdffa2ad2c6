import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, freeReservedPort } from '@kiln/test-support/free-port.ts'
import { type Swift, startSwift } from '@kiln/test-support/swift.ts'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { createFreshDatabase, type TemporaryDatabase } from '../support/temporary-postgres.ts'
import { admin, type ServiceProcess, startProcess, startWorkerProcess } from './service-process.ts'

// One API process and one worker process that share only a database and a bucket.

export interface Apart {
  swift: Swift
  database: TemporaryDatabase
  storage: ReturnType<typeof openS3Storage>
  api: ServiceProcess
  /** Tests replace it. */
  worker: ChildProcess
  key: string
  account: string
  metricsPort: number
  compatPort: number
  /** The environment of the API. */
  environment: Record<string, string>
  /** The environment of workers, which have no credentials for the bucket. */
  workerEnvironment: Record<string, string>
  /** A new folder, which is removed at the end. */
  folder(): Promise<string>
  stop(): Promise<void>
}

export async function startApart(): Promise<Apart> {
  const folders: string[] = []
  const folder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'kiln-apart-'))
    folders.push(made)
    return made
  }
  const [swift, database] = await Promise.all([startSwift(), createFreshDatabase()])
  const storage = openS3Storage(swift.settings, 'http://localhost:1')
  const ofAll = {
    DATABASE_URL: database.connectionString,
    KILN_WORKER_TOKEN: 'a-token-that-workers-have-in-common',
    KILN_METRICS_TOKEN: 'a-token-for-the-scraper',
  }
  const environment = {
    ...ofAll,
    KILN_S3_BUCKET: swift.settings.bucket,
    KILN_S3_ENDPOINT: swift.settings.endpoint as string,
    KILN_S3_ACCESS_KEY_ID: swift.settings.accessKeyId,
    KILN_S3_SECRET_ACCESS_KEY: swift.settings.secretAccessKey,
    KILN_OPERATOR_PASSWORD: 'for every process the same',
  }
  const compatPort = await freePort()
  const compat = { KILN_COMPAT: 'tika', KILN_COMPAT_PORT: String(compatPort) }
  const api = await startProcess('main-api.ts', await folder(), { ...environment, ...compat })
  // Root opens it before the worker leaves root.
  const metricsPort = process.getuid?.() === 0 ? await freeReservedPort() : await freePort()
  const workerEnvironment = { ...ofAll, KILN_WORKER_API_URL: api.origin }
  const worksWithMetrics = { ...workerEnvironment, KILN_METRICS_PORT: String(metricsPort) }
  const worker = await startWorkerProcess(await folder(), worksWithMetrics, '--lanes', 'document')
  const account = ['account', 'create', '--name', 'x', '--json']
  const made = await admin(await folder(), { DATABASE_URL: database.connectionString }, ...account)
  const created = JSON.parse(made.stdout)
  const apart: Apart = {
    swift,
    database,
    storage,
    api,
    worker,
    key: created.key.key,
    account: created.account.id,
    metricsPort,
    compatPort,
    environment,
    workerEnvironment,
    folder,
    async stop() {
      await api.stop('SIGTERM')
      if (apart.worker.exitCode === null) {
        apart.worker.kill('SIGTERM')
        await once(apart.worker, 'exit')
      }
      storage.close()
      await swift.stop()
      await database.drop()
      for (const each of folders) await rm(each, { recursive: true, force: true })
    },
  }
  return apart
}

/** 2,500 paragraphs take pandoc a second or two. */
export const slowText = (paragraphs: number) =>
  Array.from({ length: paragraphs }, (_, n) => `Paragraph ${n}: *emphasis*, **strong** and \`code\`.`).join(
    '\n\n',
  )

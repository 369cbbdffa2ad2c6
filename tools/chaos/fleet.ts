import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compileCache } from '@kiln/test-support/compile-cache.ts'
import { freePort } from '@kiln/test-support/free-port.ts'
import { at } from '../../packages/server/src/at.ts'
import type { S3Settings } from '../../packages/server/src/storage/s3/s3-storage.ts'
import { type Member, startMember } from './member.ts'
import type { MemberName } from './plan.ts'
import type { WorkWatch } from './work-watch.ts'

// Two API processes and four workers. They share only the database and the bucket.

export interface Fleet {
  members: ReadonlyMap<MemberName, Member>
  /** Base addresses of the API processes. */
  bases: readonly string[]
  /** The settings with which an admin command reaches the same accounts. */
  environment: Record<string, string>
}

export interface FleetOptions {
  root: string
  databaseUrl: string
  s3: S3Settings
  uploadTtlSeconds: number
  /** Scratch space of the worker whose disk fills. */
  smallDisk: string
  watch: WorkWatch
}

/** Settings shared by all processes of a run. */
export const sharedEnvironment = (root: string, databaseUrl: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: root,
  ...compileCache,
  DATABASE_URL: databaseUrl,
  KILN_WORKER_TOKEN: 'a-token-that-workers-have-in-common',
  KILN_SWEEP_INTERVAL_SECONDS: '2',
  KILN_DRAIN_SECONDS: '10',
  KILN_SLOTS_OFFICE: '1',
  KILN_SLOTS_DOCUMENT: '2',
  KILN_SUBMIT_RATE_PER_MINUTE: '1000000',
  KILN_WEBHOOKS_TO_PRIVATE: '1',
})

/** Additional settings of the API: workers have no credentials for the bucket. */
export const bucketEnvironment = (s3: S3Settings): Record<string, string> => ({
  KILN_S3_BUCKET: s3.bucket,
  KILN_S3_ENDPOINT: s3.endpoint as string,
  KILN_S3_ACCESS_KEY_ID: s3.accessKeyId,
  KILN_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
})

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { root, s3, watch } = options
  const ofWorkers = {
    ...sharedEnvironment(root, options.databaseUrl),
    KILN_UPLOAD_TTL_SECONDS: String(options.uploadTtlSeconds),
    KILN_DATABASE_CONNECTIONS: '8',
  }
  const environment = { ...ofWorkers, ...bucketEnvironment(s3) }
  const members = new Map<MemberName, Member>()
  const bases: string[] = []
  for (const name of ['api-1', 'api-2'] as const) {
    const port = await freePort()
    bases.push(`http://127.0.0.1:${port}/api`)
    const own = {
      KILN_PORT: String(port),
      KILN_PUBLIC_URL: `http://127.0.0.1:${port}`,
      KILN_DATA_DIR: join(root, name),
      KILN_LOG_LEVEL: 'info',
    }
    members.set(
      name,
      startMember({
        name,
        program: 'main-api.ts',
        args: [],
        environment: { ...environment, ...own },
        onLine: () => {},
      }),
    )
  }
  // Office documents are expensive on a small machine: two workers convert them.
  const withOffice: readonly MemberName[] = ['worker-1', 'worker-2']
  for (const [index, name] of (['worker-1', 'worker-2', 'worker-3', 'worker-4'] as const).entries()) {
    const folder = name === onSmallDisk ? options.smallDisk : join(root, name)
    await mkdir(folder, { recursive: true, mode: 0o755 })
    members.set(
      name,
      startMember({
        name,
        program: 'main-worker.ts',
        args: ['--lanes', withOffice.includes(name) ? 'office,document' : 'document'],
        environment: {
          ...ofWorkers,
          KILN_WORKER_API_URL: new URL(at(bases, index % bases.length)).origin,
          KILN_DATA_DIR: folder,
          KILN_LOG_LEVEL: 'debug',
        },
        onLine({ msg, jobId, attempt }) {
          if (msg === 'job begun') watch.begun(name, String(jobId), Number(attempt))
          if (msg === 'job ended') watch.ended(name, String(jobId))
        },
      }),
    )
  }
  return { members, bases, environment }
}

/** The process whose disk fills. */
const onSmallDisk: MemberName = 'worker-4'

export async function untilReady({ bases, members }: Fleet): Promise<void> {
  const deadline = Date.now() + 60_000
  for (const base of bases) {
    while (!(await isReady(base))) {
      const ends = [...members.values()].flatMap((member) => member.unexpectedEnds())
      if (ends.length > 0) throw new Error(ends.join('\n'))
      if (Date.now() > deadline) throw new Error(`${base} is not ready within a minute.`)
      await sleep(100)
    }
  }
}

const isReady = (base: string): Promise<boolean> =>
  fetch(new URL('/readyz', base)).then(
    (answer) => answer.ok,
    () => false,
  )

import { randomUUID } from 'node:crypto'
import { mkdir, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Converter } from '@kiln/converter'
import type { ProcessFacts } from '../console/process-facts.ts'
import type { Database } from '../db/connect.ts'
import { deleteProcess, type ProcessRecord, recordProcess } from '../db/processes.ts'
import type { Log } from '../log/log.ts'
import { type Rounds, startRounds } from '../rounds.ts'

// Records every five seconds that this process runs, and its state (db/processes.ts). The versions of the engines are
// queried every ten minutes, one after the other, and not while the process starts: some of them take a second.

const beatMilliseconds = 5000
const firstLookMilliseconds = 3000
const lookAgainMilliseconds = 600_000

export interface HeartbeatParts {
  kind: ProcessRecord<object>['kind']
  database: Database
  dataDir: string
  log: Log
  beatEveryMilliseconds?: number
  /** Only in processes that run conversions. */
  worker?: {
    load(): NonNullable<ProcessFacts['lanes']>
    unhealthy(): NonNullable<ProcessFacts['unhealthy']>
    converter: Pick<Converter, 'sandbox' | 'describe' | 'waiting' | 'fonts'>
  }
}

export function startHeartbeat(parts: HeartbeatParts): Rounds {
  const id = randomUUID()
  let engines: ProcessFacts['engines'] = null
  const look = async () => {
    engines = (await parts.worker?.converter.describe())?.engines ?? null
  }
  const beat = async () => {
    const facts = await gatherFacts(parts, engines)
    const record = { id, kind: parts.kind, host: hostname(), pid: process.pid, facts }
    await recordProcess(parts.database, record).catch((error) =>
      parts.log.debug({ err: error }, 'could not record the heartbeat'),
    )
  }
  const running = [startRounds(parts.beatEveryMilliseconds ?? beatMilliseconds, beat)]
  if (parts.worker) running.push(startRounds(lookAgainMilliseconds, look, firstLookMilliseconds))
  return {
    async stop() {
      await Promise.all(running.map((rounds) => rounds.stop()))
      await deleteProcess(parts.database, id).catch(() => {
        // The record becomes stale after half a minute, and is deleted later.
      })
    },
  }
}

async function gatherFacts(
  { dataDir, worker }: HeartbeatParts,
  engines: ProcessFacts['engines'],
): Promise<ProcessFacts> {
  const report = worker?.converter.sandbox
  const unhealthy = worker?.unhealthy() ?? null
  return {
    memoryBytes: process.memoryUsage.rss(),
    lanes: worker ? worker.load() : null,
    sandbox: report
      ? {
          level: report.level,
          user: report.user,
          passed: report.checks.filter(({ ok }) => ok).length,
          checks: report.checks.length,
        }
      : null,
    engines: engines?.map((engine) => withHealth(engine, unhealthy ?? [])) ?? null,
    unhealthy,
    waiting: worker?.converter.waiting() ?? null,
    fonts: worker?.converter.fonts() ?? null,
    disk: await readDisk(dataDir),
  }
}

type EngineFacts = NonNullable<ProcessFacts['engines']>[number]

function withHealth(engine: EngineFacts, unhealthy: NonNullable<ProcessFacts['unhealthy']>): EngineFacts {
  const found = unhealthy.find((each) => each.engine === engine.name)
  return found ? { ...engine, ok: false, detail: found.cause } : engine
}

async function readDisk(folder: string): Promise<ProcessFacts['disk']> {
  try {
    await mkdir(folder, { recursive: true })
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch {
    // The heartbeat reports a folder that cannot be read as unknown, and continues.
    return null
  }
}

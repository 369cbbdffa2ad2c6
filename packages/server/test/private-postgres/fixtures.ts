import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, afterEach } from 'vitest'
import {
  type PrivatePostgres,
  type PrivatePostgresOptions,
  startPrivatePostgres,
} from '../../src/db/private-postgres/index.ts'

const cleanups: (() => Promise<unknown>)[] = []
let template: Promise<string> | undefined

/** Whatever a test starts or makes is ended and removed after it, in the opposite order. Every file calls this once. */
export function cleanUpAfterTests(): void {
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
  afterAll(async () => {
    if (template) await rm(await template, { recursive: true, force: true })
    template = undefined
  })
}

/** Others may pass through, unless it is to be private: as root, the database runs as another user. */
export async function temporaryFolder(mode = 0o711): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'kiln-pg-'))
  await chmod(path, mode)
  cleanups.push(() => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))
  return path
}

/** A folder with a database that was made and stopped before: most tests are not about making one. */
export async function usedFolder(): Promise<string> {
  template ??= makeTemplate()
  const path = await temporaryFolder()
  const made = await template
  execFileSync('cp', ['-a', join(made, 'postgres'), join(made, 'postgres-password'), path])
  return path
}

async function makeTemplate(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'kiln-pg-template-'))
  const server = await startPrivatePostgres({ dataDir: path })
  await server.stop()
  return path
}
export async function startHere(
  dataDir: string,
  options: Omit<PrivatePostgresOptions, 'dataDir'> = {},
): Promise<PrivatePostgres> {
  const server = await startPrivatePostgres({ ...options, dataDir })
  cleanups.push(() => server.stop())
  return server
}

export interface Holder {
  readonly child: ChildProcess
  readonly connectionString: string
  readonly adopted: boolean
}

/** Another process that uses the server; see use-server.ts. */
export function spawnHolder(dataDir: string): { child: ChildProcess; ready: Promise<Holder> } {
  const program = fileURLToPath(new URL('./use-server.ts', import.meta.url))
  const child = spawn(process.execPath, [program, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] })
  cleanups.push(() => kill(child, 'SIGKILL'))
  const ready = once(createInterface(child.stdout), 'line').then(([line]) => ({ child, ...JSON.parse(line) }))
  return { child, ready }
}

export async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

export async function ask(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

export const serverPid = async (dataDir: string): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])

export const cleanupLater = (cleanup: () => Promise<unknown>): void => {
  cleanups.push(cleanup)
}

/** A process that has ended but was not collected by its parent yet is not running. */
export const isRunning = async (pid: number): Promise<boolean> => {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return state !== '' && !/\) Z /.test(state)
}

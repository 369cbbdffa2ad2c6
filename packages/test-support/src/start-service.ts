import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@kiln/test-support/free-port.ts'
import { compileCache, shareCompileCache } from './compile-cache.ts'

export interface RunningService {
  origin: string
  baseUrl: string
  dataDir: string
  pid: number
  /** The settings with which an admin command reaches the same accounts. */
  settings: Record<string, string>
  output(): string
  /** Asks it to drain, waits for its end, answers with the exit code. */
  stop(): Promise<number | null>
  /** Ends it as a power cut would: no warning, no clean-up. */
  kill(): Promise<void>
  remove(): Promise<void>
}

export const repository = fileURLToPath(new URL('../../..', import.meta.url))
const readyWithinMs = 90_000
const stoppedWithinMs = 40_000

// Only the variables that a program needs: the suite's own npm and test variables are removed.
export const environment = (settings: Record<string, string>): Record<string, string> => {
  const passed = ['PATH', 'HOME', 'LANG', 'USER', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(passed), ...compileCache, ...settings }
}

/** A folder for a service's data. The database may run as another user, so others may pass through. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-e2e-'))
  await chmod(folder, 0o755)
  return folder
}

const ended = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

const untilEnded = async (child: ChildProcess, withinMs: number): Promise<boolean> => {
  const deadline = Date.now() + withinMs
  while (!ended(child) && Date.now() < deadline) await sleep(25)
  return ended(child)
}

const untilReady = async (origin: string, child: ChildProcess, output: () => string): Promise<void> => {
  const deadline = Date.now() + readyWithinMs
  while (Date.now() < deadline) {
    if (ended(child)) throw new Error(`The service ended before it was ready:\n${output()}`)
    const ready = await fetch(`${origin}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) return
    await sleep(100)
  }
  throw new Error(`The service was not ready within ${readyWithinMs / 1000} s:\n${output()}`)
}

export interface StartOptions {
  prefix?: string
  /** A folder of an earlier run, to go on with its data. */
  folder?: string
  settings?: Record<string, string>
}

export const startService = async (options: StartOptions = {}): Promise<RunningService> => {
  const folder = options.folder ?? (await temporaryFolder())
  shareCompileCache(folder)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const settings = {
    KILN_DATA_DIR: folder,
    KILN_PORT: String(port),
    KILN_HOST: '127.0.0.1',
    KILN_PUBLIC_URL: origin,
    // Most of these services convert a file or two, and live for seconds.
    KILN_WAITING_DOCUMENTS: '0',
    ...(options.prefix === undefined ? {} : { KILN_PREFIX: options.prefix }),
    ...options.settings,
  }
  const child = spawn(process.execPath, ['packages/server/src/main-all.ts'], {
    cwd: repository,
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const collect = (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-200_000)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)

  const kill = async () => {
    child.kill('SIGKILL')
    await untilEnded(child, stoppedWithinMs)
  }
  try {
    await untilReady(origin, child, () => text)
  } catch (error) {
    await kill()
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
    throw error
  }
  return {
    origin,
    baseUrl: `${origin}${options.prefix ?? '/api'}`,
    dataDir: folder,
    pid: child.pid ?? 0,
    settings,
    output: () => text,
    stop: async () => {
      child.kill('SIGTERM')
      if (!(await untilEnded(child, stoppedWithinMs))) {
        await kill()
        throw new Error(`The service did not stop within ${stoppedWithinMs / 1000} s:\n${text}`)
      }
      return child.exitCode
    },
    kill,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

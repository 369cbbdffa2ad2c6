import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { compileCache, shareCompileCache } from '@kiln/test-support/compile-cache.ts'
import { freePort } from '@kiln/test-support/free-port.ts'

// The service as its users start it: a separate process with its own data folder.

const source = (name: string) => fileURLToPath(new URL(`../../src/${name}`, import.meta.url))

/** The environment of a process of the service, without the variables of the test runner. */
export const surroundingsOf = (dataDir: string) => {
  shareCompileCache(dataDir)
  return {
    PATH: process.env.PATH,
    HOME: dataDir,
    KILN_DATA_DIR: dataDir,
    // Most of these services convert a file or two, and live for seconds.
    KILN_WAITING_DOCUMENTS: '0',
    ...compileCache,
  }
}

export interface ServiceProcess {
  child: ChildProcess
  origin: string
  /** Milliseconds from the start of the process to the first good answer of /readyz. */
  readyAfter: number
  output(): string
  /** Sends a signal and waits for the end; gives the exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>
}

export const startService = (
  dataDir: string,
  environment: Record<string, string> = {},
  port?: number,
): Promise<ServiceProcess> => startProcess('main-all.ts', dataDir, environment, port)

export async function startProcess(
  main: 'main-all.ts' | 'main-api.ts',
  dataDir: string,
  environment: Record<string, string>,
  chosenPort?: number,
): Promise<ServiceProcess> {
  const port = chosenPort ?? (await freePort())
  const child = spawn(process.execPath, [source(main)], {
    env: { ...surroundingsOf(dataDir), KILN_PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout?.on('data', (text) => {
    output += text
  })
  child.stderr?.on('data', (text) => {
    output += text
  })
  const origin = `http://127.0.0.1:${port}`
  const began = performance.now()
  while (!(await isReady(origin))) {
    if (child.exitCode !== null) throw new Error(`the service ended: ${output}`)
    if (performance.now() - began > 150_000) {
      child.kill('SIGTERM')
      throw new Error(`the service is not ready: ${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    child,
    origin,
    readyAfter: performance.now() - began,
    output: () => output,
    async stop(signal) {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
      child.kill(signal)
      await ended
      return child.exitCode
    },
  }
}

/** A worker has no port; it logs when it is ready. */
export async function startWorkerProcess(
  dataDir: string,
  environment: Record<string, string>,
  ...args: string[]
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [source('main-worker.ts'), ...args], {
    env: { ...surroundingsOf(dataDir), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      output += text
      if (output.includes('worker is ready')) resolve()
    })
  }
  child.once('exit', () => reject(new Error(`the worker ended: ${output}`)))
  await promise
  return child
}

const isReady = (origin: string) =>
  fetch(`${origin}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  )

export async function admin(
  dataDir: string,
  ...rest: [Record<string, string>, ...string[]] | string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const [first, ...others] = rest
  const [environment, args] = typeof first === 'object' ? [first, others as string[]] : [{}, rest as string[]]
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [source('main-admin.ts'), ...args],
      {
        env: { ...surroundingsOf(dataDir), ...environment },
      },
    )
    return { code: 0, stdout, stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}

/** The process id of the private PostgreSQL, or null when it does not run. */
export async function postgresPid(dataDir: string): Promise<number | null> {
  for (const place of ['postgres/data/postmaster.pid', 'postgres/postmaster.pid']) {
    const text = await readFile(join(dataDir, place), 'utf8').catch(() => null)
    const pid = Number(text?.split('\n')[0])
    if (pid > 0 && isAlive(pid)) return pid
  }
  return null
}

/** A zombie is dead: it only waits for its parent to take note. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // The process has ended.
    return false
  }
}

/** Waits until the job is done or has failed, however busy the machine is. */
export async function endOf<Job extends { status: string }>(
  pollUrl: string,
  headers: Record<string, string>,
): Promise<Job> {
  for (;;) {
    const job = (await (await fetch(pollUrl, { headers: { ...headers, prefer: 'wait=20' } })).json()) as Job
    if (job.status !== 'queued' && job.status !== 'processing') return job
  }
}

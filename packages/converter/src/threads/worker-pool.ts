import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { FailureWord } from '@kiln/contract'
import { ConversionFailed, failed } from '../failure.ts'
import { usableMemory } from '../usable-memory.ts'
import { createFairSemaphore } from './fair-semaphore.ts'
import type { InThread } from './in-thread.ts'

// Worker threads for everything whose size a file or a caller controls. A call takes an idle thread, or a new one up to
// a limit; then it waits, and owners share the threads by the CPU time that they use (fair-semaphore.ts). A thread
// whose call uses more CPU time than its budget is terminated, and the next call gets a new one. CPU time counts, not
// wall time: a busy machine is not the file's fault.

export interface Call {
  module: string
  /** Without a name the module is only loaded. */
  name: string | undefined
  args: readonly unknown[]
}

/** CPU time of the call, and how it ended. */
export type Answer = { cpuSeconds: number } & (
  | { value: unknown }
  | { failed: { word: FailureWord; message: string; cause: string } }
  | { error: { message: string; stack: string | undefined; code: string | undefined } }
)

export interface FileCalls {
  bytes: number
  owner: string
  signal: AbortSignal
  /** Called with the CPU seconds of each call. */
  charge?(cpuSeconds: number): void
}

export interface WorkerPool {
  /** Runs functions on one file, within its budget. Owners that wait share the threads fairly. */
  forFile(file: FileCalls): InThread
  /** Starts a thread that loads the module, so that the first file need not wait for that. */
  prepare(module: string): void
  close(): Promise<void>
}

export interface WorkerLimits {
  /** CPU time of a call on an empty file; a second more for each mebibyte. */
  baseSeconds: number
  memoryMegabytes: number
}

const entry = new URL('./thread.ts', import.meta.url)

const mebibyte = 1024 * 1024

// To read a real document takes a tenth of a second for each megabyte at the most.
const usualLimits: WorkerLimits = { baseSeconds: 5, memoryMegabytes: 1536 }
const secondsPerMebibyte = 1
// Files that fill their threads must not fill the machine together.
const shareOfMemory = 1 / 2
// A file uses two threads at once. As many files as the machine has cores keep their threads: to start one and load its
// modules takes more CPU time than most calls.
const threadsPerFile = 2
// One more for the first call of another owner.
const minThreads = threadsPerFile + 1
const checkEveryMilliseconds = 250
// A thread that neither ends nor uses CPU time waits for something that does not happen.
const wallSeconds = 300

const budgetExceeded = (cause: string) =>
  failed.tooComplex(
    'The file takes too much time to read for its size. Open it in the program it comes from and save it again.',
    cause,
  )

export function createWorkerPool(
  { baseSeconds, memoryMegabytes } = usualLimits,
  maxThreads = threadLimit(memoryMegabytes),
): WorkerPool {
  const maxIdle = Math.min(maxThreads, threadsPerFile * availableParallelism())
  const permits = createFairSemaphore(maxThreads)
  const idle: Worker[] = []
  const all = new Set<Worker>()
  const modulesRunBy = new WeakMap<Worker, Set<string>>()

  /** Each thread compiles code for itself, so one that has run the module before comes first. */
  const takeThread = (module: string): Worker => {
    const known = idle.findLastIndex((thread) => modulesRunBy.get(thread)?.has(module))
    // Without such a thread, -1 selects the last one.
    const thread = idle.splice(known, 1)[0] ?? startThread()
    const modules = modulesRunBy.get(thread) ?? new Set()
    modulesRunBy.set(thread, modules.add(module))
    return thread
  }
  const startThread = (): Worker => {
    const resourceLimits = { maxOldGenerationSizeMb: memoryMegabytes, maxYoungGenerationSizeMb: 64 }
    const thread = new Worker(entry, { resourceLimits })
    // An idle thread does not keep the process alive.
    thread.unref()
    all.add(thread)
    thread.once('exit', () => {
      all.delete(thread)
      const index = idle.indexOf(thread)
      if (index !== -1) idle.splice(index, 1)
    })
    // The call that runs has its own listener; without any an error would end the process.
    thread.on('error', () => {})
    return thread
  }
  const terminate = (thread: Worker) => {
    // Before its exit event: no call may get a thread that is about to end.
    all.delete(thread)
    void thread.terminate()
  }
  const returnThread = (thread: Worker) => {
    if (!all.has(thread)) return
    if (idle.length >= maxIdle) terminate(thread)
    else idle.push(thread)
  }

  const run = async (sent: Call, seconds: number, file: Omit<FileCalls, 'bytes'>): Promise<unknown> => {
    const { owner, signal } = file
    const permit = await permits.acquire(owner, signal)
    const thread = takeThread(sent.module)
    // The CPU time of a terminated thread is unknown, but close to its budget.
    let cost = seconds
    try {
      const answer = await callThread(thread, sent, { seconds, signal, terminate: () => terminate(thread) })
      cost = answer.cpuSeconds
      return unwrap(answer)
    } finally {
      returnThread(thread)
      permit.release(cost)
      file.charge?.(cost)
    }
  }

  return {
    forFile({ bytes, ...file }) {
      const seconds = baseSeconds + (secondsPerMebibyte * bytes) / mebibyte
      return async (module, name, ...args) => (await run({ module, name, args }, seconds, file)) as never
    },
    prepare(module) {
      const { signal } = new AbortController()
      // A module that cannot be loaded fails the first file that needs it, where the error is reported.
      run({ module, name: undefined, args: [] }, baseSeconds, { owner: 'prepare', signal }).catch(() => {})
    },
    async close() {
      permits.close()
      // A call that ends at this moment releases its thread, and nothing else may keep the event loop alive.
      const keepAlive = setInterval(() => {}, 1000)
      await Promise.all([...all].map((thread) => thread.terminate())).finally(() => clearInterval(keepAlive))
    },
  }
}

function threadLimit(memoryMegabytes: number): number {
  const byMemory = Math.floor((usableMemory() * shareOfMemory) / (memoryMegabytes * mebibyte))
  return Math.max(minThreads, Math.min(4 * availableParallelism(), byMemory))
}

interface CallLimits {
  seconds: number
  signal: AbortSignal
  terminate(): void
}

async function callThread(thread: Worker, sent: Call, limits: CallLimits): Promise<Answer> {
  const { seconds, signal, terminate } = limits
  // A running call keeps the process alive.
  thread.ref()
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  // Not awaited here: a thread that ends meanwhile may never answer, and its exit has to be noticed.
  const before = cpuSecondsOf(thread)
  const started = performance.now()
  const stop = (reason: unknown) => {
    reject(reason)
    terminate()
  }
  const onExit = () => reject(budgetExceeded('the thread ended'))
  const onError = (error: NodeJS.ErrnoException) =>
    stop(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? budgetExceeded(error.message) : error)
  const onAbort = () => stop(signal.reason)
  const stopFor = (cause: string) => stop(budgetExceeded(`${sent.name ?? sent.module}: ${cause}`))
  const watch = setInterval(async () => {
    if (performance.now() - started > wallSeconds * 1000) return stopFor(`${wallSeconds} s have passed`)
    const used = (await cpuSecondsOf(thread)) - (await before)
    if (used > seconds) stopFor(`${used.toFixed(1)} s of CPU time, ${seconds} s allowed`)
  }, checkEveryMilliseconds)
  thread.once('message', resolve).once('exit', onExit).once('error', onError)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    thread.postMessage(sent)
    return await promise
  } finally {
    clearInterval(watch)
    thread.off('message', resolve).off('exit', onExit).off('error', onError)
    signal.removeEventListener('abort', onAbort)
    thread.unref()
  }
}

/** 0 for a thread that is still starting, or has just ended. */
async function cpuSecondsOf(thread: Worker): Promise<number> {
  try {
    const { user, system } = await thread.cpuUsage()
    return (user + system) / 1_000_000
  } catch {
    // The thread has ended.
    return 0
  }
}

function unwrap(answer: Answer): unknown {
  if ('value' in answer) return answer.value
  if ('failed' in answer) {
    const { word, message, cause } = answer.failed
    throw new ConversionFailed(word, message, cause)
  }
  const { message, stack, code } = answer.error
  throw Object.assign(new Error(message), { stack, ...(code === undefined ? {} : { code }) })
}

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { FailureWord } from '@kiln/contract'
import { ConversionFailed, failed } from '../failure.ts'
import { usableMemory } from '../usable-memory.ts'
import type { InThread } from './in-thread.ts'

// A few threads that wait. A call takes one that is free, or a new one when none is, up to a bound; then it
// waits its turn. A thread whose call takes more processor time than a file of its size may is ended, and the
// next call gets a new one. Processor time counts, not the clock: a busy machine is not the file's fault.

export interface Call {
  module: string
  /** Without one the module is only read. */
  name: string | undefined
  args: readonly unknown[]
}

export type Answer =
  | { value: unknown }
  | { failed: { word: FailureWord; message: string; cause: string } }
  | { error: { message: string; stack: string | undefined; code: string | undefined } }

export interface ThreadPool {
  /** The way into the threads for one file. */
  forFile(file: { bytes: number; signal: AbortSignal }): InThread
  /** Starts a thread that reads the module, so that the first file need not wait for that. */
  prepare(module: string): void
  close(): Promise<void>
}

const entry = new URL('./thread.ts', import.meta.url)

const keptThreads = 2
const mebibyte = 1024 * 1024

// To look through a real document takes a tenth of a second for each megabyte at the most.
const usualLimits = { baseSeconds: 5, memoryMegabytes: 1536 }
const secondsPerMebibyte = 1
// Files that fill their threads may not fill the machine together.
const shareOfMemory = 1 / 2
const mostThreads = Math.max(
  keptThreads,
  Math.min(
    4 * availableParallelism(),
    Math.floor((usableMemory() * shareOfMemory) / (usualLimits.memoryMegabytes * mebibyte)),
  ),
)
const lookEveryMilliseconds = 250
// A thread that neither ends nor takes processor time hangs on something that does not come.
const mostWallSeconds = 300

const tooMuch = (cause: string) =>
  failed.tooComplex(
    'The file takes too much work to look through for its size. Open it in the program it comes from and save it anew.',
    cause,
  )

export function createThreadPool({ baseSeconds, memoryMegabytes } = usualLimits): ThreadPool {
  const threadMemory = { maxOldGenerationSizeMb: memoryMegabytes, maxYoungGenerationSizeMb: 64 }
  const free: Worker[] = []
  const all = new Set<Worker>()
  const queue: (() => void)[] = []
  let closed = false

  const take = async (): Promise<Worker> => {
    while (!closed) {
      const waiting = free.pop()
      if (waiting) return waiting
      if (all.size < mostThreads) {
        const made = new Worker(entry, { resourceLimits: threadMemory })
        // A thread that only waits does not keep the process from ending.
        made.unref()
        all.add(made)
        made.once('exit', () => {
          all.delete(made)
          const at = free.indexOf(made)
          if (at !== -1) free.splice(at, 1)
        })
        made.on('error', () => {})
        return made
      }
      await new Promise<void>((resolve) => queue.push(resolve))
    }
    throw new Error('The converter is closed.')
  }
  const end = (thread: Worker) => {
    // At once, not at its last event: nobody may get a thread that is about to go.
    all.delete(thread)
    void thread.terminate()
  }
  const giveBack = (thread: Worker) => {
    if (all.has(thread)) {
      if (free.length >= keptThreads && queue.length === 0) end(thread)
      else free.push(thread)
    }
    queue.shift()?.()
  }

  const call = async (thread: Worker, sent: Call, seconds: number, signal: AbortSignal): Promise<unknown> => {
    // A call under way keeps the process, from before its first wait.
    thread.ref()
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    // Not waited for: a thread that ends meanwhile may never answer, and its end has to be heard.
    const before = secondsOf(thread)
    const started = performance.now()
    const onExit = () => reject(tooMuch('the thread ended'))
    const onError = (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch(error.message) : error)
      end(thread)
    }
    const onAbort = () => {
      reject(signal.reason)
      end(thread)
    }
    const endFor = (cause: string) => {
      reject(tooMuch(`${sent.name ?? sent.module}: ${cause}`))
      end(thread)
    }
    const watch = setInterval(async () => {
      if (performance.now() - started > mostWallSeconds * 1000)
        return endFor(`${mostWallSeconds} s have passed`)
      const spent = (await secondsOf(thread)) - (await before)
      if (spent > seconds) endFor(`${spent.toFixed(1)} s of processor time, ${seconds} s allowed`)
    }, lookEveryMilliseconds)
    thread.once('message', resolve).once('exit', onExit).once('error', onError)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      thread.postMessage(sent)
      return open(await promise)
    } finally {
      clearInterval(watch)
      thread.off('message', resolve).off('exit', onExit).off('error', onError)
      signal.removeEventListener('abort', onAbort)
      thread.unref()
    }
  }

  const inThread = async (sent: Call, seconds: number, signal: AbortSignal): Promise<unknown> => {
    signal.throwIfAborted()
    const thread = await take()
    try {
      // The wait for a thread may have been long.
      signal.throwIfAborted()
      return await call(thread, sent, seconds, signal)
    } finally {
      giveBack(thread)
    }
  }

  return {
    forFile({ bytes, signal }) {
      const seconds = baseSeconds + (secondsPerMebibyte * bytes) / mebibyte
      return async (module, name, ...args) =>
        (await inThread({ module, name, args }, seconds, signal)) as never
    },
    prepare(module) {
      const { signal } = new AbortController()
      // What keeps it from being read is told to the first file.
      inThread({ module, name: undefined, args: [] }, baseSeconds, signal).catch(() => {})
    },
    async close() {
      closed = true
      for (const resume of queue.splice(0)) resume()
      await Promise.all([...all].map((thread) => thread.terminate()))
    },
  }
}

/** Nothing yet for a thread that is still starting, or has just ended. */
async function secondsOf(thread: Worker): Promise<number> {
  try {
    const { user, system } = await thread.cpuUsage()
    return (user + system) / 1_000_000
  } catch {
    return 0
  }
}

function open(answer: Answer): unknown {
  if ('value' in answer) return answer.value
  if ('failed' in answer) {
    const { word, message, cause } = answer.failed
    throw new ConversionFailed(word, message, cause)
  }
  const { message, stack, code } = answer.error
  throw Object.assign(new Error(message), { stack, ...(code === undefined ? {} : { code }) })
}

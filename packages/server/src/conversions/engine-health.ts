import { ConversionFailed, type Converter } from '@kiln/converter'
import type { Log } from '../log/log.ts'
import { sleep } from '../rounds.ts'

// Whether the engines of this worker work. The states of an engine:
//
//   healthy    Internal errors of different jobs in a row are counted; a success resets the count. At three the engine
//              converts a document of Kiln's own (a check). When it can, the files were to blame, and nothing changes:
//              an account cannot stop an engine with files that break it. When it cannot, the engine is restarted and
//              checked again; if it still fails it is
//   unhealthy  with a reason, which readiness, the status page, the console, metrics and `admin doctor` report. A lane
//              whose engines are all unhealthy takes no work (start-worker.ts), so that files wait instead of failing.
//              The engine is restarted and checked again, at growing intervals, until the check succeeds.
//
// An engine that has converted nothing for ten minutes is checked too, so that a failure is found before a user finds it.

/** Minimum time between two checks of a healthy engine. */
const minCheckIntervalMilliseconds = 30_000
const failuresBeforeCheck = 3
const recheckFirstMilliseconds = 2000
const recheckLastMilliseconds = 60_000
const idleCheckMilliseconds = 600_000

export interface UnhealthyEngine {
  engine: string
  /** Public: contains no path and no output of an engine. */
  reason: string
  /** For the operator. */
  cause: string
}

export interface EngineHealthParts {
  engines: readonly string[]
  converter: Pick<Converter, 'checkEngine' | 'restartEngine'>
  log: Log
  recheckMilliseconds?: number
}

interface State {
  failedJobs: Set<string>
  checkedAt: number
  succeededAt: number
  unhealthy: UnhealthyEngine | null
  /** A check, or the repeated checks of an unhealthy engine. */
  running: Promise<void> | null
}

export function watchEngineHealth(parts: EngineHealthParts) {
  const { converter, log, recheckMilliseconds = recheckFirstMilliseconds } = parts
  const stopped = new AbortController()
  const states = new Map(
    parts.engines.map((engine): [string, State] => [
      engine,
      {
        failedJobs: new Set(),
        checkedAt: Number.NEGATIVE_INFINITY,
        succeededAt: performance.now(),
        unhealthy: null,
        running: null,
      },
    ]),
  )

  const check = async (engine: string, state: State) => {
    await converter.checkEngine(engine)
    state.checkedAt = performance.now()
    state.failedJobs.clear()
    if (state.unhealthy) log.info({ engine }, 'the engine works again')
    state.unhealthy = null
  }

  const restartAndCheck = async (engine: string, state: State) => {
    try {
      await converter.restartEngine(engine)
      await check(engine, state)
      return true
    } catch (error) {
      if (stopped.signal.aborted) return true
      if (!state.unhealthy) log.error({ engine, err: error }, 'the engine does not work')
      state.unhealthy = describeFailure(engine, error)
      return false
    }
  }

  const checkUntilHealthy = async (engine: string, state: State) => {
    const works = await check(engine, state).then(
      () => true,
      () => false,
    )
    if (works || stopped.signal.aborted) return
    log.warn({ engine }, 'the engine fails on the health-check document and is restarted')
    let pause = recheckMilliseconds
    while (!(await restartAndCheck(engine, state))) {
      await sleep(pause, stopped.signal)
      pause = Math.min(pause * 2, recheckLastMilliseconds)
    }
  }

  const start = (engine: string, state: State) => {
    if (stopped.signal.aborted) return
    state.running ??= checkUntilHealthy(engine, state).finally(() => {
      state.running = null
    })
  }

  const idleChecks = setInterval(() => {
    for (const [engine, state] of states)
      if (performance.now() - state.succeededAt >= idleCheckMilliseconds) start(engine, state)
  }, idleCheckMilliseconds)
  idleChecks.unref()

  return {
    succeeded(engine: string): void {
      const state = states.get(engine)
      if (!state) return
      state.succeededAt = performance.now()
      state.failedJobs.clear()
      state.unhealthy = null
    },
    /** A conversion ended with an internal error. */
    failed(engine: string, jobId: string): void {
      const state = states.get(engine)
      if (!state) return
      state.failedJobs.add(jobId)
      const isDue = performance.now() - state.checkedAt >= minCheckIntervalMilliseconds
      if (state.failedJobs.size >= failuresBeforeCheck && isDue) start(engine, state)
    },
    isHealthy: (engine: string) => !states.get(engine)?.unhealthy,
    unhealthy: () => [...states.values()].flatMap(({ unhealthy }) => unhealthy ?? []),
    async stop() {
      clearInterval(idleChecks)
      stopped.abort()
      await Promise.all([...states.values()].map(({ running }) => running))
    },
  }
}

export type EngineHealth = ReturnType<typeof watchEngineHealth>

function describeFailure(engine: string, error: unknown): UnhealthyEngine {
  const why = error instanceof ConversionFailed ? error.message : 'It ended with an internal error.'
  return {
    engine,
    reason: `The engine ${engine} fails on a small document of the service. ${why} It is restarted until it works again.`,
    cause: error instanceof Error ? error.message : String(error),
  }
}

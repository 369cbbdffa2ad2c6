import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

// The metrics of this process, for Prometheus. Every process counts its own work and is scraped separately; Prometheus
// adds them up. State that all processes share (queue, storage, credits) is read from the database when an API process
// is scraped: shared-gauges.ts.

export interface EndedJob {
  pair: string
  engine: string
  /** `done`, or the failure code. */
  result: string
  seconds: number
  inputBytes: number
  outputBytes: number | null
  credits: number | null
  free: number | null
}

export interface PrewarmedProcesses {
  engine: string
  ready: number
  wanted: number
  /** Documents that found a ready process, and documents that did not, since the start. */
  taken: number
  missed: number
  /** Memory of one ready process. */
  bytes: number
}

interface LaneLoad {
  lane: string
  slots: number
  busy: number
}

export type Metrics = ReturnType<typeof createMetrics>

type Labels = readonly string[]

/** Creates instruments of one registry. */
const instrumentsOf = (registry: Registry) => {
  const registers = [registry]
  return {
    counter: (name: string, help: string, labelNames: Labels = []) =>
      new Counter({ name, help, labelNames: [...labelNames], registers }),
    gauge: (name: string, help: string, labelNames: Labels = []) =>
      new Gauge({ name, help, labelNames: [...labelNames], registers }),
    histogram: (name: string, help: string, labelNames: Labels, buckets: number[]) =>
      new Histogram({ name, help, labelNames: [...labelNames], buckets, registers }),
  }
}

type Instruments = ReturnType<typeof instrumentsOf>
type Refreshers = (() => void | Promise<void>)[]

export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const instruments = instrumentsOf(registry)
  const refreshers: Refreshers = []
  return {
    registry,
    contentType: registry.contentType,
    /** All metrics, in the text format of Prometheus. */
    async render() {
      for (const refresh of refreshers) await refresh()
      return registry.metrics()
    },
    /** The callback is called before every render, to bring gauges up to date. */
    beforeRender: (refresh: Refreshers[number]) => void refreshers.push(refresh),
    ...processMetrics(instruments),
    ...jobMetrics(instruments),
    ...workerGauges(instruments, refreshers),
  }
}

function processMetrics({ counter, histogram }: Instruments) {
  const httpSeconds = histogram(
    'kiln_http_request_duration_seconds',
    'Time from the request to the end of its answer; polls that wait (Prefer: wait) included.',
    ['route', 'method', 'status'],
    [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
  )
  const pauses = counter(
    'kiln_event_loop_pauses_total',
    'How often the event loop of this process was blocked for more than a second.',
  )
  const pausedSeconds = counter(
    'kiln_event_loop_paused_seconds_total',
    'For how long it was blocked in those pauses.',
  )
  const webhookSeconds = histogram(
    'kiln_webhook_duration_seconds',
    'Time that a receiver of events took; result is taken, failed (tried again) or given-up.',
    ['result'],
    [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  )
  return {
    httpRequest: (route: string, method: string, status: number, seconds: number) =>
      httpSeconds.observe({ route, method, status }, seconds),
    eventLoopPaused(seconds: number) {
      pauses.inc()
      pausedSeconds.inc(seconds)
    },
    webhookSent: (result: string, seconds: number) => webhookSeconds.observe({ result }, seconds),
  }
}

function jobMetrics({ counter, histogram }: Instruments) {
  const submits = counter(
    'kiln_submits_total',
    'Submits by pair and by outcome: created, replay, no-credits, rate-limited, …',
    ['pair', 'outcome'],
  )
  const ended = counter(
    'kiln_jobs_ended_total',
    'Jobs that a worker ended; result is done or the failure code.',
    ['pair', 'engine', 'result'],
  )
  const conversionSeconds = histogram(
    'kiln_conversion_duration_seconds',
    'Time of a conversion from the start of its first attempt to its end.',
    ['pair', 'engine'],
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900],
  )
  const waitSeconds = histogram(
    'kiln_queue_wait_seconds',
    'Time from the upload to the start of the first attempt.',
    ['lane'],
    [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800],
  )
  const started = counter('kiln_attempts_total', 'Attempts started; try is first or again.', ['lane', 'try'])
  const failedAttempts = counter(
    'kiln_attempts_failed_total',
    'Attempts that failed for a reason other than the file, and are retried.',
    ['lane'],
  )
  const abandoned = counter(
    'kiln_jobs_abandoned_total',
    'Jobs given up after three failed attempts, or after ten workers were lost.',
    ['lane'],
  )
  const bytes = counter('kiln_converted_bytes_total', 'Bytes of inputs and outputs of jobs that are done.', [
    'direction',
  ])
  const credits = counter(
    'kiln_credits_total',
    'Credits of ended jobs: charged when done, refunded when failed.',
    ['kind'],
  )
  const free = counter(
    'kiln_free_conversions_total',
    'Ended jobs that the free allowance paid for: used when done, returned when failed.',
    ['kind'],
  )
  return {
    submitted: (pair: string, outcome: string) => submits.inc({ pair, outcome }),
    jobStarted(lane: string, attempt: number, waited: number | null) {
      started.inc({ lane, try: attempt === 1 ? 'first' : 'again' })
      if (attempt === 1 && waited !== null) waitSeconds.observe({ lane }, Math.max(0, waited))
    },
    jobEnded(job: EndedJob) {
      const { pair, engine, result } = job
      const isDone = result === 'done'
      ended.inc({ pair, engine, result })
      conversionSeconds.observe({ pair, engine }, job.seconds)
      if (isDone) {
        bytes.inc({ direction: 'in' }, job.inputBytes)
        bytes.inc({ direction: 'out' }, job.outputBytes ?? 0)
      }
      credits.inc({ kind: isDone ? 'charged' : 'refunded' }, job.credits ?? 0)
      free.inc({ kind: isDone ? 'used' : 'returned' }, job.free ?? 0)
    },
    attemptFailed: (lane: string) => failedAttempts.inc({ lane }),
    jobAbandoned: (lane: string) => abandoned.inc({ lane }),
  }
}

function workerGauges({ counter, gauge }: Instruments, refreshers: Refreshers) {
  return {
    watchSlots(read: () => Iterable<LaneLoad>) {
      const slots = gauge('kiln_slots', 'Conversions that this worker runs at once at most.', ['lane'])
      const busy = gauge('kiln_slots_busy', 'Conversions that this worker runs now.', ['lane'])
      refreshers.push(() => {
        for (const each of read()) {
          slots.set({ lane: each.lane }, each.slots)
          busy.set({ lane: each.lane }, each.busy)
        }
      })
    },
    watchWaiting(read: () => Iterable<PrewarmedProcesses>) {
      const labels = ['engine']
      const ready = gauge(
        'kiln_waiting_places',
        'Pre-warmed processes of this worker that are ready.',
        labels,
      )
      const wanted = gauge('kiln_waiting_places_wanted', 'Pre-warmed processes that should be ready.', labels)
      const held = gauge('kiln_waiting_bytes', 'Memory that the pre-warmed processes use.', labels)
      const documents = counter(
        'kiln_waiting_documents_total',
        'Documents that found a pre-warmed process (found is yes), and for which one was started (no).',
        ['engine', 'found'],
      )
      refreshers.push(() => {
        documents.reset()
        for (const each of read()) {
          const { engine } = each
          ready.set({ engine }, each.ready)
          wanted.set({ engine }, each.wanted)
          held.set({ engine }, each.ready * each.bytes)
          documents.inc({ engine, found: 'yes' }, each.taken)
          documents.inc({ engine, found: 'no' }, each.missed)
        }
      })
    },
  }
}

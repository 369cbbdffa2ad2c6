import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

// What this process counts, for Prometheus. Every process counts its own work and is scraped by itself; sums
// over processes are for Prometheus to make. What is true for all processes together (queue, storage,
// credits) is read from the database when an API process is scraped: shared-gauges.ts.

export interface EndedJob {
  pair: string
  engine: string
  /** `done`, or the failure word. */
  result: string
  seconds: number
  inputBytes: number
  outputBytes: number | null
  credits: number | null
  free: number | null
}

export interface WaitingBoxes {
  engine: string
  ready: number
  wanted: number
  /** Documents that found one ready, and that did not, so far. */
  taken: number
  missed: number
  /** Of one that is ready. */
  bytes: number
}

export interface Metrics {
  registry: Registry
  contentType: string
  /** Everything, in the text format of Prometheus. */
  render(): Promise<string>
  /** Called before every render, to bring gauges up to date. */
  beforeRender(refresh: () => void | Promise<void>): void
  httpRequest(route: string, method: string, status: number, seconds: number): void
  submitted(pair: string, outcome: string): void
  jobStarted(lane: string, attempt: number, waitedSeconds: number | null): void
  jobEnded(job: EndedJob): void
  attemptFailed(lane: string): void
  /** The only thread stood still for so long. */
  eventLoopPaused(seconds: number): void
  jobAbandoned(lane: string): void
  /** An event was sent to a webhook; result is taken, failed or given-up. */
  webhookSent(result: string, seconds: number): void
  /** Slots of this worker, read when scraped. */
  watchSlots(read: () => Iterable<{ lane: string; slots: number; busy: number }>): void
  /** Boxes of this worker that wait for their document, read when scraped. */
  watchWaiting(read: () => Iterable<WaitingBoxes>): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const httpSeconds = new Histogram({
    name: 'kiln_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer; polls that wait (Prefer: wait) included.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    registers,
  })
  const pauses = new Counter({
    name: 'kiln_event_loop_pauses_total',
    help: 'How often the only thread of this process stood still for more than a second.',
    registers,
  })
  const pausedSeconds = new Counter({
    name: 'kiln_event_loop_paused_seconds_total',
    help: 'For how long it stood still in those pauses.',
    registers,
  })
  const submits = new Counter({
    name: 'kiln_submits_total',
    help: 'Submits by pair and by what became of them: created, replay, no-credits, rate-limited, …',
    labelNames: ['pair', 'outcome'],
    registers,
  })
  const ended = new Counter({
    name: 'kiln_jobs_ended_total',
    help: 'Jobs that a worker brought to an end; result is done or the word of the failure.',
    labelNames: ['pair', 'engine', 'result'],
    registers,
  })
  const conversionSeconds = new Histogram({
    name: 'kiln_conversion_duration_seconds',
    help: 'Time of a conversion from the start of its first attempt to its end.',
    labelNames: ['pair', 'engine'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900],
    registers,
  })
  const waitSeconds = new Histogram({
    name: 'kiln_queue_wait_seconds',
    help: 'Time from the upload to the start of the first attempt.',
    labelNames: ['lane'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800],
    registers,
  })
  const started = new Counter({
    name: 'kiln_attempts_total',
    help: 'Attempts begun; try is first or again.',
    labelNames: ['lane', 'try'],
    registers,
  })
  const failedAttempts = new Counter({
    name: 'kiln_attempts_failed_total',
    help: 'Attempts that broke down through no fault of the file and are tried again.',
    labelNames: ['lane'],
    registers,
  })
  const abandoned = new Counter({
    name: 'kiln_jobs_abandoned_total',
    help: 'Jobs given up after three attempts that broke down, or ten workers that were lost.',
    labelNames: ['lane'],
    registers,
  })
  const bytes = new Counter({
    name: 'kiln_converted_bytes_total',
    help: 'Bytes of inputs and outputs of jobs that ended well.',
    labelNames: ['direction'],
    registers,
  })
  const credits = new Counter({
    name: 'kiln_credits_total',
    help: 'Credits of ended jobs: charged when done, refunded when failed.',
    labelNames: ['kind'],
    registers,
  })
  const free = new Counter({
    name: 'kiln_free_conversions_total',
    help: 'Ended jobs that the free allowance paid for: used when done, returned when failed.',
    labelNames: ['kind'],
    registers,
  })

  const webhookSeconds = new Histogram({
    name: 'kiln_webhook_duration_seconds',
    help: 'Time that a receiver of events took; result is taken, failed (tried again) or given-up.',
    labelNames: ['result'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })

  const refreshers: (() => void | Promise<void>)[] = []
  return {
    registry,
    contentType: registry.contentType,
    async render() {
      for (const refresh of refreshers) await refresh()
      return registry.metrics()
    },
    beforeRender: (refresh) => void refreshers.push(refresh),
    httpRequest: (route, method, status, seconds) => httpSeconds.observe({ route, method, status }, seconds),
    submitted: (pair, outcome) => submits.inc({ pair, outcome }),
    jobStarted(lane, attempt, waited) {
      started.inc({ lane, try: attempt === 1 ? 'first' : 'again' })
      if (attempt === 1 && waited !== null) waitSeconds.observe({ lane }, Math.max(0, waited))
    },
    jobEnded(job) {
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
    eventLoopPaused(seconds) {
      pauses.inc()
      pausedSeconds.inc(seconds)
    },
    webhookSent: (result, seconds) => webhookSeconds.observe({ result }, seconds),
    attemptFailed: (lane) => failedAttempts.inc({ lane }),
    jobAbandoned: (lane) => abandoned.inc({ lane }),
    watchSlots(read) {
      const slots = new Gauge({
        name: 'kiln_slots',
        help: 'Conversions that this worker runs at once at most.',
        labelNames: ['lane'],
        registers,
      })
      const busy = new Gauge({
        name: 'kiln_slots_busy',
        help: 'Conversions that this worker runs now.',
        labelNames: ['lane'],
        registers,
      })
      refreshers.push(() => {
        for (const each of read()) {
          slots.set({ lane: each.lane }, each.slots)
          busy.set({ lane: each.lane }, each.busy)
        }
      })
    },
    watchWaiting(read) {
      const gauge = (name: string, help: string) =>
        new Gauge({ name, help, labelNames: ['engine'], registers })
      const ready = gauge('kiln_waiting_places', 'Documents for which boxes of this worker wait.')
      const wanted = gauge('kiln_waiting_places_wanted', 'Documents for which boxes should wait.')
      const held = gauge('kiln_waiting_bytes', 'Memory that the boxes that wait hold.')
      const documents = new Counter({
        name: 'kiln_waiting_documents_total',
        help: 'Documents that found boxes waiting (found is yes), and for which they were started (no).',
        labelNames: ['engine', 'found'],
        registers,
      })
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

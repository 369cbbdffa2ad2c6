import { Gauge } from 'prom-client'
import { ttlCache } from '../caches.ts'
import type { Metrics } from './metrics.ts'

// Gauges of the whole service, read from the database when a process is scraped, and cached for a few seconds, so that
// ten API processes behind one scraper do not query it ten times. Every API process reports the same figures: a
// dashboard takes their maximum, not their sum.

export interface SharedFigures {
  lanes: readonly { lane: string; waiting: number; oldestSeconds: number; running: number }[]
  holdings: {
    outputs: number
    outputBytes: number
    overdueOutputs: number
    inputs: number
    inputBytes: number
    awaitedUploads: number
    databaseBytes: number
  }
  month: { accounts: number; jobs: number; bytes: number; freeUsed: number; credits: number }
  processes: readonly {
    kind: string
    host: string
    facts: {
      sandbox: { level: string } | null
      engines: readonly { name: string; ok: boolean }[] | null
      disk: { freeBytes: number; totalBytes: number } | null
    }
  }[]
}

const keptMilliseconds = 3000

export function addSharedGauges(
  { registry, beforeRender }: Metrics,
  read: () => Promise<SharedFigures>,
): void {
  const registers = [registry]
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers })

  const waiting = gauge('kiln_queue_jobs', 'Uploaded jobs that wait for a worker.', ['lane'])
  const oldest = gauge('kiln_queue_oldest_seconds', 'Age of the job that has waited longest.', ['lane'])
  const running = gauge('kiln_processing_jobs', 'Jobs that are being converted.', ['lane'])
  const awaited = gauge('kiln_awaited_uploads', 'Jobs whose upload has not come yet.')
  const objects = gauge('kiln_stored_objects', 'Inputs and outputs in storage.', ['kind'])
  const stored = gauge('kiln_stored_bytes', 'Their bytes.', ['kind'])
  const overdue = gauge(
    'kiln_overdue_outputs',
    'Outputs that should have been deleted more than two minutes ago.',
  )
  const database = gauge('kiln_database_bytes', 'Size of the database.')
  const accounts = gauge('kiln_accounts', 'Accounts.')
  const credits = gauge('kiln_credits_outstanding', 'Credits that all accounts hold.')
  const monthJobs = gauge('kiln_month_jobs', 'Jobs submitted in this calendar month.')
  const monthBytes = gauge('kiln_month_bytes', 'Their bytes.')
  const monthFree = gauge('kiln_month_free_conversions', 'Free conversions used in this calendar month.')
  const processes = gauge('kiln_processes', 'Processes of the service that live.', ['kind'])
  const engines = gauge('kiln_engine_up', '1 when the engine works on that machine.', ['engine', 'host'])
  const sandbox = gauge('kiln_sandbox', '1 for the level of the sandbox on that machine.', ['level', 'host'])
  const diskFree = gauge('kiln_disk_free_bytes', 'Free bytes where the data folder is.', ['host'])
  const diskSize = gauge('kiln_disk_size_bytes', 'Size of that file system.', ['host'])

  const show = (figures: SharedFigures) => {
    for (const each of [waiting, oldest, running, processes, engines, sandbox, diskFree, diskSize])
      each.reset()
    for (const lane of figures.lanes) {
      waiting.set({ lane: lane.lane }, lane.waiting)
      oldest.set({ lane: lane.lane }, lane.oldestSeconds)
      running.set({ lane: lane.lane }, lane.running)
    }
    const { holdings, month } = figures
    awaited.set(holdings.awaitedUploads)
    objects.set({ kind: 'input' }, holdings.inputs)
    objects.set({ kind: 'output' }, holdings.outputs)
    stored.set({ kind: 'input' }, holdings.inputBytes)
    stored.set({ kind: 'output' }, holdings.outputBytes)
    overdue.set(holdings.overdueOutputs)
    database.set(holdings.databaseBytes)
    accounts.set(month.accounts)
    credits.set(month.credits)
    monthJobs.set(month.jobs)
    monthBytes.set(month.bytes)
    monthFree.set(month.freeUsed)
    for (const { kind, host, facts } of figures.processes) {
      processes.inc({ kind })
      for (const { name, ok } of facts.engines ?? []) engines.set({ engine: name, host }, ok ? 1 : 0)
      if (facts.sandbox) sandbox.set({ level: facts.sandbox.level, host }, 1)
      if (facts.disk) {
        diskFree.set({ host }, facts.disk.freeBytes)
        diskSize.set({ host }, facts.disk.totalBytes)
      }
    }
  }

  const refresh = ttlCache(keptMilliseconds, () => read().then(show))
  const up = gauge(
    'kiln_database_up',
    '1 when the database answered; otherwise the gauges of the whole service are old.',
  )
  beforeRender(async () => {
    try {
      await refresh()
      up.set(1)
    } catch {
      // The gauge reports the outage.
      up.set(0)
    }
  })
}

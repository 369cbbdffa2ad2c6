import { ttlCache } from '../caches.ts'
import type { Database } from '../db/connect.ts'
import { listProcesses } from '../db/processes.ts'
import { readChart, readFailures, readPairs } from '../db/reports/charts.ts'
import {
  readHoldings,
  readLanes,
  readLastMinute,
  readMonth,
  readRunning,
} from '../db/reports/current-state.ts'
import { type Span, spans } from '../db/reports/roll-up.ts'
import { type ProcessFacts, slotsIn } from './process-facts.ts'

// The overview: the current state, and the charts over an hour, a day or a month. All of it is read from the database.
// Open consoles share a cached answer.

export const periods = {
  hour: { span: spans.minute, seconds: 3600 },
  day: { span: spans.tenMinutes, seconds: 86_400 },
  month: { span: spans.sixHours, seconds: 30 * 86_400 },
} as const satisfies Record<string, { span: Span; seconds: number }>
export type Period = keyof typeof periods

const keptMilliseconds = 900
const maxRunningShown = 100

export interface OverviewParts {
  database: Database
  lanes: readonly string[]
  retention: { outputSeconds: number; recordSeconds: number; uploadSeconds: number }
  storage: 'folder' | 'bucket'
  faults: () => Promise<readonly string[]>
}

export function createOverview({ database, lanes, retention, storage, faults }: OverviewParts) {
  const db = database.kysely

  const now = async () => {
    const [lastMinute, found, running, holdings, month, processes, wrong] = await Promise.all([
      readLastMinute(db),
      readLanes(db, lanes),
      readRunning(db, maxRunningShown),
      readHoldings(db),
      readMonth(db),
      listProcesses<ProcessFacts>(database),
      faults(),
    ])
    return {
      now: new Date(),
      faults: wrong,
      lastMinute,
      lanes: found.map((lane) => ({ ...lane, slots: slotsIn(lane.lane, processes) })),
      running,
      holdings,
      month,
      processes,
      retention,
      storage,
    }
  }

  const charts = async (period: Period) => {
    const { span, seconds } = periods[period]
    const [points, pairs, failures] = await Promise.all([
      readChart(db, span, seconds),
      readPairs(db, span, seconds),
      readFailures(db, span, seconds),
    ])
    return { now: new Date(), span, seconds, points, pairs, failures }
  }

  return { now: ttlCache(keptMilliseconds, now), charts: ttlCache(keptMilliseconds, charts) }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watchEventLoop } from './event-loop.ts'
import { createMetrics } from './metrics.ts'

function standStill(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('a pause of more than a second is logged with its job, and counted', async () => {
  const warnings: { milliseconds: number; jobs: string[] }[] = []
  const metrics = createMetrics()
  const log = { warn: (about: object) => warnings.push(about as (typeof warnings)[number]) }
  const watch = watchEventLoop({ log, metrics })
  const running = new Set(['job-1'])
  watch.watchJobs(() => [...running])
  try {
    await sleep(500)
    const before = warnings.length
    standStill(1500)
    // The job has ended before the next check.
    running.clear()
    await sleep(500)
    const seen = warnings.slice(before)
    expect(seen[0]?.jobs).toEqual(['job-1'])
    expect(seen[0]?.milliseconds).toBeGreaterThan(1000)
    const text = await metrics.render()
    expect(text).toMatch(new RegExp(`^kiln_event_loop_pauses_total ${warnings.length}$`, 'm'))
    const seconds = Number(/^kiln_event_loop_paused_seconds_total (\S+)$/m.exec(text)?.[1])
    expect(seconds).toBeGreaterThan(1)
  } finally {
    watch.stop()
  }
})

import { ConversionFailed } from '@kiln/converter'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../log/log.ts'
import { type EngineHealth, watchEngineHealth } from './engine-health.ts'

let health: EngineHealth
let broken: Error | null = null
let mendsOnRestart = false
const calls: string[] = []
const watch = () => {
  calls.length = 0
  health = watchEngineHealth({
    engines: ['pandoc', 'ffmpeg'],
    converter: {
      async checkEngine(engine) {
        calls.push(`check ${engine}`)
        if (broken) throw broken
        return true
      },
      async restartEngine(engine) {
        calls.push(`restart ${engine}`)
        if (mendsOnRestart) broken = null
      },
    },
    log: createLog('silent', false),
    recheckMilliseconds: 1,
  })
}
afterEach(() => health.stop())
const fail = (...jobs: string[]) => {
  for (const job of jobs) health.failed('pandoc', job)
}

test('three different files in a row lead to a check, and not the attempts of one file', async () => {
  watch()
  fail('one', 'one', 'one', 'two')
  expect(calls).toEqual([])
  health.succeeded('pandoc')
  fail('three', 'four')
  expect(calls).toEqual([])
  fail('five')
  expect(calls).toEqual(['check pandoc'])
})

test('files that break an engine which works change nothing, and cost no further checks', async () => {
  broken = null
  watch()
  fail('one', 'two', 'three')
  await expect.poll(() => calls).toEqual(['check pandoc'])
  await Promise.resolve()
  fail('four', 'five', 'six', 'seven')
  expect(calls).toEqual(['check pandoc'])
  expect(health.unhealthy()).toEqual([])
})

test('an engine that a restart repairs is never reported', async () => {
  broken = new Error('the process pool is gone')
  mendsOnRestart = true
  watch()
  fail('one', 'two', 'three')
  await expect.poll(() => calls).toEqual(['check pandoc', 'restart pandoc', 'check pandoc'])
  expect(health.isHealthy('pandoc')).toBe(true)
})

test('one that still fails is unhealthy, with a reason that shows no path, until it works again', async () => {
  broken = new Error('cannot open /srv/kiln/data/work')
  mendsOnRestart = false
  watch()
  fail('one', 'two', 'three')
  await expect.poll(() => health.isHealthy('pandoc')).toBe(false)
  expect(health.isHealthy('ffmpeg')).toBe(true)
  const [found] = health.unhealthy()
  expect(found).toMatchObject({ engine: 'pandoc', cause: 'cannot open /srv/kiln/data/work' })
  expect(found?.reason).toMatch(/internal error/)
  expect(found?.reason).not.toContain('/srv')
  broken = new ConversionFailed('too-complex', 'It takes too long.')
  await expect.poll(() => health.unhealthy()[0]?.reason).toContain('It takes too long.')
  broken = null
  await expect.poll(() => health.isHealthy('pandoc')).toBe(true)
  expect(calls.filter((call) => call.startsWith('restart')).length).toBeGreaterThan(1)
})

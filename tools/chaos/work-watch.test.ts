import { expect, test } from 'vitest'
import { watchWork } from './work-watch.ts'

function watchAt() {
  let time = 0
  const at = (seconds: number) => {
    time = seconds
  }
  return { watch: watchWork(() => time * 1000), at }
}

test('a takeover is timed from the kill to the next run, by the clock on the wall', () => {
  const { watch, at } = watchAt()
  watch.begun('a', 'job', 1)
  at(10)
  expect(watch.killed('a')).toBe(1)
  at(25)
  expect(watch.waiting()).toMatchObject([{ jobId: 'job', seconds: 15 }])
  at(40)
  watch.begun('b', 'job', 2)
  expect(watch.takeovers()).toMatchObject([{ jobId: 'job', seconds: 30, throughOutage: false }])
  expect(watch.waiting()).toEqual([])
})

test('what waited through an outage is timed from its end; an outage before the kill changes nothing', async () => {
  const { watch, at } = watchAt()
  await watch.duringOutage(async () => at(5))
  watch.begun('a', 'job', 1)
  at(10)
  watch.killed('a')
  await watch.duringOutage(async () => at(50))
  at(53)
  watch.begun('b', 'job', 2)
  expect(watch.takeovers()).toMatchObject([{ seconds: 3, throughOutage: true }])
  watch.killed('b')
  at(60)
  watch.begun('a', 'job', 3)
  expect(watch.takeovers()[1]).toMatchObject({ seconds: 7, throughOutage: false })
})

test('a job that had ended was not waiting', () => {
  const { watch } = watchAt()
  watch.begun('a', 'job', 1)
  watch.ended('a', 'job')
  expect(watch.killed('a')).toBe(0)
  expect(watch.killsOf('job')).toBe(0)
})

test('an attempt that was taken and killed before its line was logged counts as one', () => {
  const { watch, at } = watchAt()
  watch.begun('a', 'job', 1)
  at(10)
  watch.killed('a')
  at(15)
  watch.killed('b')
  at(22)
  watch.killed('c')
  at(33)
  watch.begun('d', 'job', 3)
  expect(watch.takeovers()).toMatchObject([{ seconds: 11 }])
})

test('without such an attempt, a long wait stays one', () => {
  const { watch, at } = watchAt()
  watch.begun('a', 'job', 1)
  at(10)
  watch.killed('a')
  at(22)
  watch.killed('c')
  at(33)
  watch.begun('d', 'job', 2)
  expect(watch.takeovers()).toMatchObject([{ seconds: 23 }])
})

import { describe, expect, test } from 'vitest'
import { createAutoscaler, type ScalingRules } from './autoscaler.ts'
import { type PodFacts, simulate } from './simulate.ts'
import { arrivals, randomNumbers } from './workload.ts'

const oneSlot: PodFacts = { cores: 1, slots: 1, startSeconds: 30, drainSeconds: 20 }
const rules: ScalingRules = {
  minReplicas: 1,
  maxReplicas: 12,
  target: 1,
  scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
  scaleDown: { stabilizationWindowSeconds: 60, policies: [{ type: 'Pods', value: 2, periodSeconds: 30 }] },
}
const autoscaled = { rules, scrapeSeconds: 15, averagedSeconds: 60 }

const steady = (seed: number, perSecond: number, meanSeconds: number, seconds: number) =>
  arrivals(
    { seconds, highest: perSecond, rate: () => perSecond, kinds: [{ share: 1, seconds: meanSeconds }] },
    randomNumbers(seed),
  )

/** Comes and goes, so that pods are added and taken away. */
const waves = (seed: number) =>
  arrivals(
    {
      ...{ seconds: 7200, highest: 0.2, kinds: [{ share: 1, seconds: 30 }] },
      rate: (at) => (Math.floor(at / 900) % 2 === 0 ? 0.2 : 0.01),
    },
    randomNumbers(seed),
  )

/** The mean wait of a queue with exponential times and so many servers, by Erlang's formula. */
function erlangWait(perSecond: number, meanSeconds: number, servers: number): number {
  const load = perSecond * meanSeconds
  let blocked = 1
  for (let count = 1; count <= servers; count++) blocked = (load * blocked) / (count + load * blocked)
  const share = load / servers
  const waits = blocked / (1 - share * (1 - blocked))
  return (waits * meanSeconds) / (servers * (1 - share))
}

describe('a simulated day', () => {
  test.each([
    [2, 0.6],
    [4, 0.7],
    [10, 0.85],
  ])('%i pods at a load of %f wait as long as queueing theory says', (pods, load) => {
    const jobs = steady(7, pods * load, 1, 100_000 / (pods * load))
    const { ended } = simulate(jobs, oneSlot, { fixed: pods })
    const mean = ended.reduce((sum, { waited }) => sum + waited, 0) / ended.length
    const expected = erlangWait(pods * load, 1, pods)
    expect(mean).toBeGreaterThan(expected * 0.88)
    expect(mean).toBeLessThan(expected * 1.12)
  })

  test.each([1, 2, 3])(
    'every job ends once, also where pods are taken away from under it (seed %i)',
    (seed) => {
      const jobs = waves(seed)
      const { ended, cutShort } = simulate(jobs, oneSlot, autoscaled)
      const inOrder = ended.map(({ arrives, seconds }) => ({ arrives, seconds }))
      expect(inOrder.sort((a, b) => a.arrives - b.arrives)).toEqual(jobs)
      expect(cutShort).toBeGreaterThan(0)
      expect(Math.min(...ended.map(({ waited }) => waited))).toBeGreaterThanOrEqual(0)
    },
  )

  test('who drains for long enough cuts nothing short', () => {
    const { cutShort } = simulate(waves(1), { ...oneSlot, drainSeconds: 3600 }, autoscaled)
    expect(cutShort).toBe(0)
  })

  test.each([1, 2, 3])('no job waits longer because there is one more pod (seed %i)', (seed) => {
    const jobs = steady(seed, 1, 3, 2000)
    const waits = [3, 4, 5, 6].map((pods) => {
      const { ended } = simulate(jobs, oneSlot, { fixed: pods })
      return ended.sort((a, b) => a.arrives - b.arrives).map(({ waited }) => waited)
    })
    for (const [index, more] of waits.slice(1).entries()) {
      const fewer = waits[index] as number[]
      expect(more.filter((waited, job) => waited > (fewer[job] as number) + 1e-9)).toEqual([])
    }
  })

  test('cores are counted from the wish for a pod to its end', () => {
    const { coreHours, cores } = simulate([{ arrives: 0, seconds: 7200 }], oneSlot, { fixed: 3 })
    expect(coreHours).toBeCloseTo(6)
    expect(cores.at(-1)).toEqual({ at: 0, cores: 3 })
  })
})

describe('the autoscaler', () => {
  test('wants a pod for each target, and leaves a tenth alone', () => {
    const decide = createAutoscaler({ ...rules, target: 2 })
    expect(decide(0, 10, 20)).toBe(10)
    expect(decide(15, 10, 21)).toBe(10)
    expect(decide(30, 10, 23)).toBe(12)
  })

  test('doubles at most, within the bounds', () => {
    const decide = createAutoscaler(rules)
    expect(decide(0, 1, 100)).toBe(2)
    expect(decide(15, 2, 100)).toBe(4)
    expect(decide(30, 4, 100)).toBe(8)
    expect(decide(45, 8, 100)).toBe(12)
    expect(decide(60, 12, 100)).toBe(12)
  })

  test('shrinks when the window holds nothing higher, by so many in a period, and not below the least', () => {
    const decide = createAutoscaler(rules)
    expect(decide(0, 6, 6)).toBe(6)
    expect(decide(15, 6, 0)).toBe(6)
    expect(decide(45, 6, 0)).toBe(6)
    expect(decide(60, 6, 0)).toBe(4)
    expect(decide(75, 4, 0)).toBe(4)
    expect(decide(90, 4, 0)).toBe(2)
    expect(decide(120, 2, 0)).toBe(1)
    expect(decide(150, 1, 0)).toBe(1)
  })
})

import { describe, expect, it } from 'vitest'
import { createClosedWatch } from './closed-processes.ts'

/** The results of successive checks, for closed processes with these CPU seconds. */
function afterLooks(looks: readonly Readonly<Record<number, number>>[]): boolean[] {
  let now: ReadonlyMap<number, number> = new Map()
  const isClosedForLong = createClosedWatch(() => now)
  return looks.map((look) => {
    now = new Map(Object.entries(look).map(([pid, seconds]) => [Number(pid), seconds]))
    return isClosedForLong([...now.keys()])
  })
}

const times = (count: number, look: (index: number) => Record<number, number>) =>
  Array.from({ length: count }, (_, index) => look(index))

describe('processes that stay closed', () => {
  it('are reported after eleven looks in which they worked', () => {
    expect(afterLooks(times(11, (index) => ({ 7: index / 100 })))).toEqual([...Array(10).fill(false), true])
  })

  it('may be so for any number of looks in which they got no processor time', () => {
    expect(afterLooks(times(500, () => ({ 7: 0.01 })))).not.toContain(true)
  })

  it('are reported where they work a little now and then', () => {
    expect(afterLooks(times(60, (index) => ({ 7: Math.floor(index / 5) / 100 })))).toContain(true)
  })

  it('are reported where one that works follows another', () => {
    expect(afterLooks(times(11, (index) => ({ [index + 1]: 0 }))).at(-1)).toBe(true)
  })

  it('count anew after a look that found none', () => {
    const built = times(10, (index) => ({ 7: index / 100 }))
    expect(afterLooks([...built, {}, ...built])).not.toContain(true)
  })
})

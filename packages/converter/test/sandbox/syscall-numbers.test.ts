import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  groupLeavingCalls,
  judgedCalls,
  type Machine,
  refusedCalls,
} from '../../src/sandbox/seccomp/syscalls.ts'

// The kernel headers of this and of the other architecture contain the number of each call.

const triplets: Record<Machine, string> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }

function kernelNumbers(machine: Machine): (name: string) => number | null {
  const triplet = triplets[machine]
  // The machine's own headers (Debian 13 has those of every machine), else those for cross compilers.
  const folders = [`/usr/include/${triplet}`, `/usr/${triplet}/include`]
  const folder = folders.find((each) => existsSync(`${each}/asm/unistd.h`))
  if (!folder) throw new Error(`The kernel's headers of ${machine} are in none of ${folders.join(', ')}.`)
  const macros = execFileSync('gcc', ['-E', '-dM', '-nostdinc', '-I', folder, '-I', '/usr/include', '-'], {
    input: '#include <asm/unistd.h>\n',
    encoding: 'utf8',
  })
  const values = new Map(
    [...macros.matchAll(/^#define (\w+) (\w+)$/gm)].map(([, name, value]) => [name, value]),
  )
  const resolve = (name: string): number | null => {
    const value = values.get(name)
    if (value === undefined) return null
    return /^\d+$/.test(value) ? Number(value) : resolve(value)
  }
  return (name) => resolve(`__NR_${name}`)
}

const calls = Object.entries(
  Object.assign({}, ...Object.values(refusedCalls), groupLeavingCalls, judgedCalls) as typeof judgedCalls,
)

describe.each(['x64', 'arm64'] as const)('the numbers for %s', (machine) => {
  test('are those of the kernel’s headers', () => {
    const numberOf = kernelNumbers(machine)
    // Without this, headers that were not understood would agree with a table of nothing but nulls.
    expect(numberOf('read')).toBe({ x64: 0, arm64: 63 }[machine])
    expect(calls.length).toBeGreaterThan(60)
    expect(Object.fromEntries(calls.map(([name, call]) => [name, call[machine]]))).toEqual(
      Object.fromEntries(calls.map(([name]) => [name, numberOf(name)])),
    )
  })
})

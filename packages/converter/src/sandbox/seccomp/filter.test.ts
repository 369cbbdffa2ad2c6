import { describe, expect, it } from 'vitest'
import type { Instruction } from './bpf.ts'
import { seccompFilter, seccompProgram } from './filter.ts'
import { groupLeavingCalls, judgedCalls, type Machine, refusedCalls } from './syscalls.ts'

// Runs the program as the kernel would, on one call.
interface Call {
  number: number
  architecture?: number
  arguments?: readonly number[]
}

const architectures: Record<Machine, number> = { x64: 0xc000003e, arm64: 0xc00000b7 }

function decide(program: readonly Instruction[], machine: Machine, call: Call): string {
  const words = new Map([
    [0, call.number],
    [4, call.architecture ?? architectures[machine]],
    ...(call.arguments ?? []).map((value, index): [number, number] => [16 + index * 8, value]),
  ])
  let accumulator = 0
  for (let at = 0; at < program.length; at += 1) {
    const { code, jumpTrue, jumpFalse, operand } = program[at] as Instruction
    if (code === 0x20) accumulator = words.get(operand) ?? 0
    else if (code === 0x06)
      return { 2147418112: 'allow', 2147483648: 'kill' }[operand] ?? `errno ${operand & 0xffff}`
    else {
      const holds = {
        21: accumulator === operand,
        53: accumulator >= operand,
        69: (accumulator & operand) !== 0,
      }[code]
      at += holds ? jumpTrue : jumpFalse
    }
  }
  return 'fell off the end'
}

describe.each(['x64', 'arm64'] as const)('the filter for %s', (machine) => {
  const program = seccompProgram(machine, { holdProcessGroup: false })
  const holding = seccompProgram(machine, { holdProcessGroup: true })
  const number = (call: { x64: number; arm64: number | null }) => call[machine] ?? -1
  const decision = (call: Call, of = program) => decide(of, machine, call)

  it.each(Object.entries(refusedCalls))('refuses what %s', (_reason, group) => {
    for (const call of Object.values(group)) {
      if (call[machine] !== null) expect(decision({ number: number(call) })).toBe('errno 1')
    }
  })

  it('allows the calls that every program makes', () => {
    const ordinary = { x64: [0, 1, 9, 59, 202, 231, 257], arm64: [56, 63, 64, 93, 98, 221, 222] }[machine]
    for (const call of ordinary) {
      expect(decision({ number: call })).toBe('allow')
      expect(decision({ number: call }, holding)).toBe('allow')
    }
  })

  it('kills who calls by the numbers of another machine', () => {
    expect(decision({ number: 1, architecture: 0x40000003 })).toBe('kill')
    expect(decision({ number: 0x40000001 })).toBe('kill')
  })

  it('opens sockets of the family AF_UNIX only', () => {
    for (const call of [judgedCalls.socket, judgedCalls.socketpair]) {
      expect(decision({ number: number(call), arguments: [1] })).toBe('allow')
      for (const family of [2, 10, 16, 17, 38, 40]) {
        expect(decision({ number: number(call), arguments: [family] })).toBe('errno 13')
      }
    }
  })

  it('makes threads and processes, never namespaces', () => {
    const clone = number(judgedCalls.clone)
    expect(decision({ number: clone, arguments: [0x3d0f00] })).toBe('allow')
    expect(decision({ number: clone, arguments: [17] })).toBe('allow')
    for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]) {
      expect(decision({ number: clone, arguments: [flag | 17] })).toBe('errno 1')
    }
    expect(decision({ number: number(judgedCalls.clone3) })).toBe('errno 38')
  })

  it('does not push characters into a terminal', () => {
    const ioctl = number(judgedCalls.ioctl)
    expect(decision({ number: ioctl, arguments: [0, 0x5401] })).toBe('allow')
    expect(decision({ number: ioctl, arguments: [0, 0x5412] })).toBe('errno 1')
    expect(decision({ number: ioctl, arguments: [0, 0x541c] })).toBe('errno 1')
  })

  it('holds the process group, and the limits of others, only where it is told to', () => {
    const limits = number(judgedCalls.prlimit64)
    for (const call of Object.values(groupLeavingCalls)) {
      expect(decision({ number: number(call) })).toBe('allow')
      expect(decision({ number: number(call) }, holding)).toBe('errno 1')
    }
    expect(decision({ number: limits, arguments: [4711] })).toBe('allow')
    expect(decision({ number: limits, arguments: [4711] }, holding)).toBe('errno 1')
    expect(decision({ number: limits, arguments: [0] }, holding)).toBe('allow')
  })
})

it('is not made for a machine whose numbers are unknown', () => {
  expect(() => seccompFilter('riscv64', { holdProcessGroup: false })).toThrow('riscv64')
})

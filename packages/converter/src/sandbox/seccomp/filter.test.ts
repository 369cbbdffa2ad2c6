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
    else if (code === 0x54) accumulator &= operand
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

  it('opens sockets of the family AF_UNIX only, and of these only such as have to connect', () => {
    const closeOnExecAndNonBlocking = 0o2004000
    for (const call of [judgedCalls.socket, judgedCalls.socketpair]) {
      const opened = (family: number, type: number) =>
        decision({ number: number(call), arguments: [family, type] })
      for (const flags of [0, closeOnExecAndNonBlocking]) {
        for (const type of [1, 5]) expect(opened(1, type | flags)).toBe('allow')
        // A raw socket of this family is one of datagrams.
        for (const type of [2, 3, 4]) expect(opened(1, type | flags)).toBe('errno 13')
      }
      for (const family of [2, 10, 16, 17, 38, 40]) expect(opened(family, 1)).toBe('errno 13')
    }
  })

  it('cuts a file to nothing only where it is opened for writing', () => {
    const [O_RDONLY, O_WRONLY, O_RDWR, neither, O_TRUNC, O_CREAT] = [0, 1, 2, 3, 0o1000, 0o100]
    for (const [call, at] of [
      [judgedCalls.open, 1],
      [judgedCalls.openat, 2],
    ] as const) {
      if (call[machine] === null) continue
      const opened = (flags: number) =>
        decision({ number: number(call), arguments: at === 1 ? [0, flags] : [0, 0, flags] })
      for (const flags of [O_RDONLY, O_WRONLY | O_TRUNC | O_CREAT, O_RDWR | O_TRUNC, neither])
        expect(opened(flags)).toBe('allow')
      for (const flags of [O_RDONLY | O_TRUNC, neither | O_TRUNC, O_RDONLY | O_TRUNC | O_CREAT])
        expect(opened(flags)).toBe('errno 1')
    }
    expect(decision({ number: number(judgedCalls.openat2) })).toBe('errno 38')
  })

  it('gives no descriptor another owner or signal', () => {
    const control = (command: number) =>
      decision({ number: number(judgedCalls.fcntl), arguments: [5, command, 4711] })
    for (const command of [8, 10, 15]) expect(control(command)).toBe('errno 1')
    for (const command of [0, 1, 2, 3, 4, 6, 1030]) expect(control(command)).toBe('allow')
    for (const request of [0x8901, 0x8902])
      expect(decision({ number: number(judgedCalls.ioctl), arguments: [5, request] })).toBe('errno 1')
  })

  it('knows no call that is newer than its table', () => {
    for (const newer of [451, 452, 463, 600]) expect(decision({ number: newer })).toBe('errno 38')
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

  it('holds the process group, and the limits and processors of others, only where that is asked for', () => {
    const limits = number(judgedCalls.prlimit64)
    const processors = number(judgedCalls.sched_setaffinity)
    for (const call of Object.values(groupLeavingCalls)) {
      expect(decision({ number: number(call) })).toBe('allow')
      expect(decision({ number: number(call) }, holding)).toBe('errno 1')
    }
    expect(decision({ number: limits, arguments: [4711] })).toBe('allow')
    expect(decision({ number: limits, arguments: [4711] }, holding)).toBe('errno 1')
    expect(decision({ number: limits, arguments: [0] }, holding)).toBe('allow')
    expect(decision({ number: processors, arguments: [4711] }, holding)).toBe('errno 1')
    expect(decision({ number: processors, arguments: [0] }, holding)).toBe('allow')
  })
})

it('is not made for a machine whose numbers are unknown', () => {
  expect(() => seccompFilter('riscv64', { holdProcessGroup: false })).toThrow('riscv64')
})

// Classic BPF as the kernel's seccomp takes it: eight bytes an instruction, jumps counted forwards.
// Only the few instructions that a filter of system calls needs.

export interface Instruction {
  code: number
  jumpTrue: number
  jumpFalse: number
  operand: number
}

const operations = {
  loadWord: 0x20,
  and: 0x54,
  jumpEqual: 0x15,
  jumpGreaterEqual: 0x35,
  jumpAnySet: 0x45,
  return: 0x06,
}

// struct seccomp_data { int nr; __u32 arch; __u64 instruction_pointer; __u64 args[6]; }
const numberOffset = 0
const architectureOffset = 4
const argumentsOffset = 16

const instruction = (code: number, operand: number, jumpTrue = 0, jumpFalse = 0): Instruction => ({
  code,
  jumpTrue,
  jumpFalse,
  operand: operand >>> 0,
})

export const load = {
  systemCall: () => instruction(operations.loadWord, numberOffset),
  architecture: () => instruction(operations.loadWord, architectureOffset),
  /** Low half of an argument: both machines are little-endian, and the kernel reads flags as 32 bits. */
  argument: (index: number) => instruction(operations.loadWord, argumentsOffset + index * 8),
}

/** Keeps only these bits of the loaded word. */
export const keepBits = (bits: number) => instruction(operations.and, bits)

/** Skips `skip` instructions unless the loaded word passes the test. */
export const unless = {
  equal: (value: number, skip: number) => instruction(operations.jumpEqual, value, 0, skip),
  atLeast: (value: number, skip: number) => instruction(operations.jumpGreaterEqual, value, 0, skip),
  anySet: (bits: number, skip: number) => instruction(operations.jumpAnySet, bits, 0, skip),
}

/** Skips `skip` instructions when the loaded word passes the test. */
export const when = {
  equal: (value: number, skip: number) => instruction(operations.jumpEqual, value, skip, 0),
}

export const answer = {
  allow: () => instruction(operations.return, 0x7fff0000),
  error: (errno: number) => instruction(operations.return, 0x00050000 | errno),
  killProcess: () => instruction(operations.return, 0x80000000),
}

export function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  program.forEach(({ code, jumpTrue, jumpFalse, operand }, index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(jumpTrue, index * 8 + 2)
    bytes.writeUInt8(jumpFalse, index * 8 + 3)
    bytes.writeUInt32LE(operand, index * 8 + 4)
  })
  return bytes
}

import type { Random } from '@kiln/test-support/random.ts'

/** The same random numbers always make the same file. `other` is another seed file, to splice with. */
export type Mutation = (file: Buffer, random: Random, other: Buffer) => Buffer

export const below = (random: Random, limit: number): number => Math.floor(random.next() * limit)

const flipBytes: Mutation = (file, random) => {
  const out = Buffer.from(file)
  const count = 1 + below(random, 60)
  for (let flip = 0; flip < count; flip += 1) out[below(random, out.length)] = below(random, 256)
  return out
}

const truncate: Mutation = (file, random) => file.subarray(0, Math.max(20, below(random, file.length)))

const deleteRange: Mutation = (file, random) => {
  const from = below(random, file.length)
  return Buffer.concat([file.subarray(0, from), file.subarray(from + 1 + below(random, 4000))])
}

const repeatRange: Mutation = (file, random) => {
  const from = below(random, file.length)
  const to = Math.min(file.length, from + 1 + below(random, 4000))
  return Buffer.concat([file.subarray(0, to), file.subarray(from)])
}

const zeroRange: Mutation = (file, random) => {
  const out = Buffer.from(file)
  const from = below(random, out.length)
  return out.fill(0, from, Math.min(out.length, from + 1 + below(random, 2000)))
}

const splice: Mutation = (file, random, other) =>
  Buffer.concat([file.subarray(0, below(random, file.length)), other.subarray(below(random, other.length))])

const prepend: Mutation = (file, random) => Buffer.concat([Buffer.alloc(below(random, 3000), 'x'), file])

const interesting = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff]

/** Sizes, offsets and counts that overflow, at any place. */
const oddInteger: Mutation = (file, random) => {
  if (file.length < 4) return file
  const out = Buffer.from(file)
  const value = random.pick(interesting)
  const at = below(random, out.length - 3)
  if (random.next() < 0.5) out.writeUInt32BE(value, at)
  else out.writeUInt32LE(value, at)
  return out
}

export const genericMutations: readonly Mutation[] = [
  flipBytes,
  truncate,
  deleteRange,
  repeatRange,
  zeroRange,
  splice,
  prepend,
  oddInteger,
]

import { type Pair, pairs } from '@kiln/converter/catalog'
import { createRandom } from '@kiln/test-support/random.ts'
import { mutate } from './mutate/mutate.ts'
import type { Seed } from './seeds.ts'

export interface FuzzedFile {
  pair: Pair
  content: Buffer
}

/** The file with this number: a format, a seed of it, one of its pairs, and mutations. */
export function fuzzedFile(index: number, seeds: readonly Seed[]): FuzzedFile {
  const random = createRandom(index ^ 0x5eed)
  const format = random.pick([...new Set(seeds.map((seed) => seed.format))])
  const { content } = random.pick(seeds.filter((seed) => seed.format === format))
  const pair = random.pick(pairs.filter(({ from }) => from === format))
  return { pair, content: mutate(content, random.pick(seeds).content, index) }
}

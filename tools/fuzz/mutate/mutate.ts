import { createRandom } from '@kiln/test-support/random.ts'
import {
  ebmlMutations,
  isoMutations,
  jpegMutations,
  oleMutations,
  pngMutations,
  riffMutations,
  tiffMutations,
} from './containers.ts'
import { below, genericMutations, type Mutation } from './generic.ts'
import { pdfMutations } from './pdf.ts'
import { mimeMutations, textMutations } from './text.ts'
import { xmlMutations } from './xml.ts'
import { zipMutations } from './zip.ts'

const startsWith = (file: Buffer, bytes: string) =>
  file.subarray(0, bytes.length).equals(Buffer.from(bytes, 'latin1'))

/** Mutations that use the structure of the file, chosen by its first bytes. */
function structured(file: Buffer): readonly Mutation[] {
  if (startsWith(file, 'PK')) return zipMutations
  if (startsWith(file, '%PDF')) return pdfMutations
  if (startsWith(file, '\xd0\xcf\x11\xe0')) return oleMutations
  if (startsWith(file, '\x1a\x45\xdf\xa3')) return ebmlMutations
  if (file.toString('latin1', 4, 8) === 'ftyp') return isoMutations
  if (startsWith(file, '\x89PNG')) return pngMutations
  if (startsWith(file, '\xff\xd8')) return jpegMutations
  if (startsWith(file, 'II*\0') || startsWith(file, 'MM\0*')) return tiffMutations
  if (startsWith(file, 'RIFF')) return riffMutations
  const start = file.toString('latin1', 0, 200)
  if (/^\s*</.test(start)) return [...xmlMutations, ...textMutations]
  if (/^[\w-]+: /.test(start)) return mimeMutations
  // Text has no zero bytes.
  return start.includes('\0') ? genericMutations : textMutations
}

/** One to three mutations, two of three of them structured. The same seed makes the same file. */
export function mutate(file: Buffer, other: Buffer, seed: number): Buffer {
  const random = createRandom(seed)
  let out = file
  const times = 1 + below(random, 3)
  for (let time = 0; time < times && out.length > 0; time += 1) {
    const kinds = random.next() < 2 / 3 ? structured(out) : genericMutations
    out = random.pick(kinds)(out, random, other)
  }
  return out
}

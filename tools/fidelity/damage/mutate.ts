import { deflateSync, inflateSync } from 'node:zlib'
import { createRandom, type Random } from '@kiln/test-support/random.ts'

// Damage to a PDF, decided by a seed: the same seed always makes the same file.

type Damage = (file: Buffer, random: Random, other: Buffer) => Buffer

const below = (random: Random, limit: number): number => Math.floor(random.next() * limit)

function flipBytes(file: Buffer, random: Random): Buffer {
  const out = Buffer.from(file)
  const count = 1 + below(random, 60)
  for (let i = 0; i < count; i++) out[below(random, out.length)] = below(random, 256)
  return out
}

const truncate: Damage = (file, random) => file.subarray(0, Math.max(20, below(random, file.length)))

function dropPart(file: Buffer, random: Random): Buffer {
  const from = below(random, file.length)
  return Buffer.concat([file.subarray(0, from), file.subarray(from + 1 + below(random, 4000))])
}

function doublePart(file: Buffer, random: Random): Buffer {
  const from = below(random, file.length)
  const to = Math.min(file.length, from + 1 + below(random, 4000))
  return Buffer.concat([file.subarray(0, to), file.subarray(from)])
}

function blankPart(file: Buffer, random: Random): Buffer {
  const out = Buffer.from(file)
  const from = below(random, out.length)
  return out.fill(0, from, Math.min(out.length, from + 1 + below(random, 2000)))
}

const splice: Damage = (file, random, other) =>
  Buffer.concat([file.subarray(0, below(random, file.length)), other.subarray(below(random, other.length))])

const prepend: Damage = (file, random) => Buffer.concat([Buffer.alloc(below(random, 3000), 'x'), file])

/** Numbers and names that documents get wrong. Only what is not packed can be reached so. */
const oddities: [what: RegExp, by: string[]][] = [
  [
    /\/MediaBox\s*\[[^\]]*\]/g,
    [
      '/MediaBox [0 0 1e9 1e9]',
      '/MediaBox [0 0 -5 -5]',
      '/MediaBox [0 0 0 0]',
      '/MediaBox [9 8 7]',
      '/MediaBox [-30000 -30000 30000 30000]',
    ],
  ],
  [/\/CropBox\s*\[[^\]]*\]/g, ['/CropBox [900 900 100 100]', '/CropBox []']],
  [/\/Rotate \d+/g, ['/Rotate 45', '/Rotate -90', '/Rotate 99999999999']],
  [/\/Count \d+/g, ['/Count 999999999', '/Count -1', '/Count 0']],
  [/\/Length \d+/g, ['/Length 0', '/Length 4294967295', '/Length -7']],
  [/\/Info /g, ['/Encrypt ']],
  [/\/FirstChar \d+/g, ['/FirstChar -4', '/FirstChar 70000']],
  [/\/Width \d+/g, ['/Width 1000000', '/Width 0']],
  [/\/Kids\s*\[[^\]]*\]/g, ['/Kids [1 0 R 1 0 R]', '/Kids []']],
  [/\d+ 0 R/g, ['1 0 R', '99999 0 R']],
  [/\/FlateDecode/g, ['/LZWDecode', '/DCTDecode', '/JBIG2Decode']],
  [/startxref\s+\d+/g, ['startxref\n0', 'startxref\n99999999']],
]

function oddNumbers(file: Buffer, random: Random): Buffer {
  let text = file.toString('latin1')
  for (const [what, by] of oddities) {
    if (random.next() < 0.7) continue
    text = text.replace(what, (found) =>
      random.next() < 0.5 ? found : (by[below(random, by.length)] as string),
    )
  }
  return Buffer.from(text, 'latin1')
}

/** Numbers that no page needs: of letters, matrices, rectangles, spaces and lines. */
const oddOperands = [
  '0',
  '-1',
  '1e9',
  '1000000000',
  '-1000000000',
  '0.0000001',
  '99999999999999999999',
  '16384',
]
const shareOfOperands = 0.004

const withOddOperands = (content: string, random: Random): string =>
  content.replace(/[\d.-]+(?=\s)/g, (found) =>
    random.next() < shareOfOperands ? (oddOperands[below(random, oddOperands.length)] as string) : found,
  )

/** Of packed drawing orders, packed again. Bytes behind the end of what is packed are not read, so they fill it up. */
function oddContent(file: Buffer, random: Random): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const start = file.indexOf('stream', at)
    const end = file.indexOf('endstream', start)
    if (start < 0 || end < 0) break
    const data = start + 'stream'.length + (file[start + 'stream'.length] === 13 ? 2 : 1)
    parts.push(file.subarray(at, data), repacked(file.subarray(data, end), random), Buffer.from('endstream'))
    at = end + 'endstream'.length
  }
  return Buffer.concat([...parts, file.subarray(at)])
}

function repacked(packed: Buffer, random: Random): Buffer {
  try {
    const content = inflateSync(packed).toString('latin1')
    if (!/\b(?:Tf|cm|re)\s/.test(content)) return packed
    const anew = deflateSync(Buffer.from(withOddOperands(content, random), 'latin1'), { level: 9 })
    return Buffer.concat([anew, Buffer.alloc(Math.max(0, packed.length - anew.length))])
  } catch {
    // Packed in another way, or no stream at all.
    return packed
  }
}

const kinds: readonly Damage[] = [
  oddContent,
  oddContent,
  oddContent,
  flipBytes,
  truncate,
  dropPart,
  doublePart,
  blankPart,
  splice,
  prepend,
  oddNumbers,
  oddNumbers,
]

export function damage(file: Buffer, other: Buffer, seed: number): Buffer {
  const random = createRandom(seed)
  let out = file
  const times = 1 + below(random, 3)
  for (let i = 0; i < times && out.length > 0; i++)
    out = (kinds[below(random, kinds.length)] as Damage)(out, random, other)
  return out
}

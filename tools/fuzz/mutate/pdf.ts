import { deflateSync, inflateSync } from 'node:zlib'
import type { Random } from '@kiln/test-support/random.ts'
import { below, type Mutation } from './generic.ts'

// Objects and content streams of a PDF.

/** Numbers and names that documents often get wrong, in uncompressed parts. */
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

const oddNumbers: Mutation = (file, random) => {
  let text = file.toString('latin1')
  for (const [what, by] of oddities) {
    if (random.next() < 0.7) continue
    text = text.replace(what, (found) =>
      random.next() < 0.5 ? found : (by[below(random, by.length)] as string),
    )
  }
  return Buffer.from(text, 'latin1')
}

/** Operands that no page needs, for text, matrices, rectangles and lines. */
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

/** Operands of compressed content streams. Bytes after the end of the compressed data are not read, so they pad it. */
const oddContent: Mutation = (file, random) => {
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
    // Compressed with another filter, or no stream at all.
    return packed
  }
}

export const pdfMutations: readonly Mutation[] = [oddContent, oddNumbers]

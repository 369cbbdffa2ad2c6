import { randomUUID } from 'node:crypto'
import type { Random } from '@kiln/test-support/random.ts'

// The conversions of clients. Every file contains a unique mark at its beginning and at its end, so that a complete output
// can be distinguished from a partial one, and from another job's.

export interface ConversionRequest {
  idempotencyKey: string
  pair: 'md-to-html' | 'md-to-docx' | 'txt-to-pdf'
  mark: string
  body: Buffer
}

export function makeRequest(random: Random): ConversionRequest {
  const idempotencyKey = randomUUID()
  const mark = idempotencyKey.replaceAll('-', '')
  const pair = random.next() < 0.06 ? 'txt-to-pdf' : random.next() < 0.25 ? 'md-to-docx' : 'md-to-html'
  // Word takes pandoc the better part of a second at this size: long enough to be killed in the middle.
  const paragraphs = pair === 'md-to-docx' ? 400 : Math.floor(random.between(1, 60))
  const lines = Array.from(
    { length: paragraphs },
    (_, number) => `Paragraph ${number} with *some* words and a [link](#p${number}).`,
  )
  const text = `begin${mark}\n\n${lines.join('\n\n')}\n\nend${mark}\n`
  return { idempotencyKey, pair, mark, body: Buffer.from(text) }
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encode, samples } from '@kiln/test-support/languages.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reliableConfidence } from '../../report/warnings.ts'
import { detectEncoding } from './detect-encoding.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-legacy-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function detect(bytes: Buffer) {
  const path = join(folder, 'text')
  await writeFile(path, bytes)
  return detectEncoding(path)
}

// The detected name may differ where two encodings agree on the text; the decoded text may not.
test.each(samples)('$language in every encoding', async ({ text, encodings }) => {
  for (const encoding of [...encodings, 'utf-16le', 'utf-16be']) {
    const bytes = encode(`${text}\n`, encoding)
    const found = await detect(bytes)
    expect(new TextDecoder(found?.name).decode(bytes), encoding).toBe(new TextDecoder(encoding).decode(bytes))
    expect(found?.confidence, encoding).toBeGreaterThanOrEqual(0.5)
  }
})

// A few words may fit two encodings equally well. Then the report says so.
test.each(samples)(
  'a table of six words in $language is read correctly, or with a warning',
  async (sample) => {
    const words = sample.text.split(/[\s,.。，、]+/u).filter((word) => word !== '')
    for (const encoding of sample.encodings) {
      const lines = encode(`${words.join('\n')}\n`, encoding)
        .toString('latin1')
        .split('\n')
      for (let at = 0; at + 6 <= lines.length; at += 6) {
        const table = `id,name\n${lines
          .slice(at, at + 6)
          .map((word, row) => `${row},${word}\n`)
          .join('')}`
        const bytes = Buffer.from(table, 'latin1')
        const found = await detect(bytes)
        if ((found?.confidence ?? 0) >= reliableConfidence)
          expect(new TextDecoder(found?.name).decode(bytes), encoding).toBe(
            new TextDecoder(encoding).decode(bytes),
          )
      }
    }
  },
)

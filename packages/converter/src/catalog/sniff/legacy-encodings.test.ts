import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { samples } from '@kiln/test-support/languages.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { detectTextEncoding } from './text-encoding.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-legacy-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const inEncoding = (text: string, encoding: string): Buffer =>
  execFileSync('iconv', ['-f', 'utf-8', '-t', `${encoding}//TRANSLIT`], { input: text })

const rows = samples.flatMap(({ language, text, encodings }) =>
  encodings.map((encoding) => ({ language, text, encoding })),
)

// The name may differ where two encodings agree on the text; what is read may not.
test.each(rows)('$language in $encoding is read as it was written', async ({ text, encoding }) => {
  const bytes = inEncoding(`${text}\n`.repeat(3), encoding)
  const path = join(folder, 'text')
  await writeFile(path, bytes)
  const found = await detectTextEncoding(path)
  expect(new TextDecoder(found?.encoding).decode(bytes)).toBe(new TextDecoder(encoding).decode(bytes))
})

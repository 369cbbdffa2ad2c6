import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// The program that drives Chromium, without the sandbox, where a page can be made to crash.

// Each starts a browser; a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000 })

const program = fileURLToPath(new URL('../../../sandboxed-programs/print-page.mjs', import.meta.url))
const chromium = '/usr/lib/chromium/chromium-headless-shell'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-print-page-'))
  await writeFile(join(folder, 'page.html'), '<!DOCTYPE html><p>A page')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function print(fields: readonly string[], { wait = false } = {}) {
  const flags = ['--headless', '--remote-debugging-pipe', '--no-sandbox', '--disable-gpu']
  const profile = `--user-data-dir=${await mkdtemp(join(folder, 'profile-'))}`
  const child = spawn(process.execPath, [program, chromium, ...flags, profile])
  const [said, complained] = [text(child.stdout), text(child.stderr)]
  if (wait) await once(child.stdout, 'data')
  child.stdin.end(fields.map((field) => `${field}\0`).join(''))
  const [code] = (await once(child, 'close')) as [number]
  return { code, said: await said, complained: await complained }
}

test.each([false, true])(
  'prints the page of its command, and reports what it held (after a wait: %s)',
  async (wait) => {
    const target = join(folder, `${wait}.pdf`)
    const { code, said } = await print(['', `file://${join(folder, 'page.html')}`, target], { wait })
    expect([code, said]).toEqual([0, expect.stringMatching(/^ready\n\{"seen":\{"pictures":0,[^\n]+\n$/)])
    expect((await readFile(target)).subarray(0, 5).toString()).toBe('%PDF-')
  },
)

test('knows that the page crashed', async () => {
  const { code, complained } = await print(['', 'chrome://crash', join(folder, 'crashed.pdf')])
  expect(code).toBe(3)
  expect(complained).toMatch(/^page crashed: /m)
})

test('ends without a command', async () => {
  expect((await print([], { wait: true })).code).toBe(0)
})

test('says why a page cannot be opened', async () => {
  const { code, complained } = await print(['', 'file:///no/such/page.html', join(folder, 'none.pdf')])
  expect(code).toBe(1)
  expect(complained).toContain('The page cannot be opened')
})

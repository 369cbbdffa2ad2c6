import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createWorkerPool, type WorkerPool } from '../../src/threads/worker-pool.ts'

// Misbehaving modules, each in a separate file.

let folder: string
let pool: WorkerPool
const { signal } = new AbortController()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-threads-'))
  // As everywhere, but for less.
  pool = createWorkerPool({ baseSeconds: 1, memoryMegabytes: 256 })
})
afterAll(async () => {
  await pool.close()
  await rm(folder, { recursive: true, force: true })
})

let count = 0
async function moduleWith(body: string): Promise<string> {
  count += 1
  const path = join(folder, `module-${count}.mjs`)
  await writeFile(path, `export async function work(...args) { ${body} }`)
  return pathToFileURL(path).href
}

type Work = (...args: unknown[]) => unknown
const call = async (
  body: string,
  options: { bytes?: number; owner?: string; signal?: AbortSignal } = {},
  ...args: unknown[]
) =>
  pool.forFile({ bytes: 0, owner: 'somebody', signal, ...options })<Work>(
    await moduleWith(body),
    'work',
    ...args,
  )

test('gives back what the function gives', async () => {
  expect(await call('return args[0] + args[1]', {}, 2, 3)).toBe(5)
})

test('a module that is prepared is read before the first file comes', async () => {
  const [path, trace] = ['telling.mjs', 'trace'].map((name) => join(folder, name)) as [string, string]
  await writeFile(path, `import { writeFileSync } from 'node:fs'; writeFileSync('${trace}', '')`)
  pool.prepare(pathToFileURL(path).href)
  await vi.waitFor(() => expect(existsSync(trace)).toBe(true), 4000)
  // An unreadable file does not affect the others.
  pool.prepare(pathToFileURL(join(folder, 'missing.mjs')).href)
  expect(await call('return 1')).toBe(1)
})

test('a pool of one thread runs one call after the other', async () => {
  const single = createWorkerPool({ baseSeconds: 5, memoryMegabytes: 256 }, 1)
  const inThread = single.forFile({ bytes: 0, owner: 'somebody', signal })
  const module = await moduleWith("return (await import('node:worker_threads')).threadId")
  const threads = await Promise.all([1, 2, 3].map(() => inThread<Work>(module, 'work')))
  expect(new Set(threads).size).toBe(1)
  await single.close()
})

test('a module runs where it has run before', async () => {
  const inThread = pool.forFile({ bytes: 0, owner: 'somebody', signal })
  const sayThread = "return (await import('node:worker_threads')).threadId"
  const [first, second] = [await moduleWith(sayThread), await moduleWith(sayThread)]
  const threadOf = (module: string) => inThread<Work>(module, 'work')
  const [one, other] = await Promise.all([threadOf(first), threadOf(second)])
  expect(one).not.toBe(other)
  for (const [module, thread] of [
    [first, one],
    [second, other],
    [first, one],
  ] as const)
    expect(await threadOf(module)).toBe(thread)
})

test('an error of ours stays an error, with its code', async () => {
  await expect(call("throw Object.assign(new Error('gone'), { code: 'ENOENT' })")).rejects.toMatchObject({
    message: 'gone',
    code: 'ENOENT',
  })
})

test('a failure of the file stays one', async () => {
  const failure = new URL('../../src/failure.ts', import.meta.url).href
  const body = `const { failed } = await import('${failure}'); throw failed.wrongFormat('It is a picture.')`
  await expect(call(body)).rejects.toMatchObject({ word: 'wrong-format', message: 'It is a picture.' })
})

test('work without end is ended after its processor time, and others go on meanwhile', async () => {
  const endless = call('for (;;) ;')
  expect(await call('return 1')).toBe(1)
  await expect(endless).rejects.toMatchObject({ word: 'too-complex' })
  expect(await call('return 2')).toBe(2)
}, 120_000)

test('memory without end is ended, and the process lives on', async () => {
  // Large allocations, so that the memory limit is reached long before the CPU time limit.
  const grow = 'const kept = []; for (;;) kept.push(new Array(1e6).fill(1.5))'
  await expect(call(grow)).rejects.toMatchObject({ word: 'too-complex' })
  expect(await call('return 3')).toBe(3)
}, 120_000)

test('ends at once when it is cancelled', async () => {
  const cancel = new AbortController()
  const endless = call('for (;;) ;', { signal: cancel.signal })
  setTimeout(() => cancel.abort(new Error('not needed any more')), 100)
  await expect(endless).rejects.toThrow('not needed any more')
})

test('takes more calls than it has threads', async () => {
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, index) => call('return args[0]', {}, index)),
  )
  expect(results).toEqual(Array.from({ length: 50 }, (_, index) => index))
})

test('slow files of one owner do not delay the first call of another', async () => {
  const cancel = new AbortController()
  // Each may use half a minute of CPU time, much more than the other call needs to start a thread.
  const options = { owner: 'slow', bytes: 30 * 1024 * 1024, signal: cancel.signal }
  const slow = Array.from({ length: 40 }, () => call('for (;;) ;', options))
  const ends = Promise.allSettled(slow)
  const waited = call('return 4', { owner: 'quick' })
  const first = await Promise.race([waited, ...slow.map((each) => each.catch(() => 'a slow call ended'))])
  expect(first).toBe(4)
  cancel.abort(new Error('enough'))
  await ends
}, 60_000)

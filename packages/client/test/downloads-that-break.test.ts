import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { baseUrl, kilnOf, newKey, temporaryFolder, thrownBy } from '@kiln/test-support/client-service.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { OutputExpiredError, ServiceError } from '../src/index.ts'
import { startFront } from './support/front.ts'
import { run } from './support/run.ts'

let key: string
let folder: string
beforeAll(async () => {
  key = await newKey()
  folder = await temporaryFolder()
})

const leftovers = async (name: string) =>
  (await readdir(folder)).filter((each) => each.startsWith(`.${name}.`))

describe.concurrent('a download', () => {
  const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  // Random data does not compress, so it stays large.
  const large = `# Large\n\n    ${randomBytes(600_000).toString('base64')}\n`

  const finished = async () => {
    const kiln = kilnOf(key)
    const { jobId, stream } = await kiln.convert(Buffer.from(large), { from: 'md', to: 'html' })
    return { jobId, whole: new Uint8Array(await new Response(stream).arrayBuffer()) }
  }

  test('that breaks off is taken up where it broke, and comes out whole', async () => {
    const { jobId, whole } = await finished()
    expect(whole.byteLength).toBeGreaterThan(700_000)
    await using front = await startFront({
      conduct: ({ path, times }) =>
        path.startsWith('/files/') && times < 3 ? { breakAfter: 200_000 } : 'pass',
    })
    const output = join(folder, 'broken.html')
    await kilnOf(key, { baseUrl: front.baseUrl }).download(jobId, { output })
    expect(sha(await readFile(output))).toBe(sha(whole))
    const ranges = front.seen
      .filter(({ path }) => path.startsWith('/files/'))
      .map(({ headers }) => headers.range)
    const starts = ranges.map((range) => Number(/^bytes=(\d+)-$/.exec(range ?? 'bytes=0-')?.[1]))
    expect(starts.length).toBe(4)
    for (const [index, start] of starts.slice(1).entries()) expect(start).toBeGreaterThan(starts[index] ?? 0)
    expect(await leftovers('broken.html')).toEqual([])
  })

  test('that breaks off at a store without ranges is read again past what is there', async () => {
    const { jobId, whole } = await finished()
    await using front = await startFront({
      dropHeaders: ['range', 'if-range'],
      conduct: ({ path, times }) =>
        path.startsWith('/files/') && times < 1 ? { breakAfter: 200_000 } : 'pass',
    })
    const { stream } = await kilnOf(key, { baseUrl: front.baseUrl }).download(jobId)
    expect(sha(new Uint8Array(await new Response(stream).arrayBuffer()))).toBe(sha(whole))
  })

  test('that cannot be finished leaves the old output as it was, and nothing else', async () => {
    const { jobId } = await finished()
    await using front = await startFront({
      conduct: ({ path, times }) =>
        path.startsWith('/files/') ? (times === 0 ? { breakAfter: 200_000 } : { status: 500 }) : 'pass',
    })
    const output = join(folder, 'old.html')
    await writeFile(output, 'the old one')
    const kiln = kilnOf(key, { baseUrl: front.baseUrl, maxRetries: 1 })
    expect(await thrownBy(kiln.download(jobId, { output }))).toBeInstanceOf(ServiceError)
    expect(await readFile(output, 'utf8')).toBe('the old one')
    expect(await leftovers('old.html')).toEqual([])
  })

  test('that is not read keeps no program alive', async () => {
    const { jobId } = await finished()
    const text = `
      import { Kiln } from '${new URL('../src/index.ts', import.meta.url).href}'
      const { stream } = await new Kiln().download('${jobId}')
      if (process.argv[1] === 'cancel') await stream.cancel()
    `
    const env = { KILN_URL: baseUrl, KILN_API_KEY: key }
    const began = Date.now()
    const ran = await run(process.execPath, ['--input-type=module', '-e', text, 'cancel'], { env })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(Date.now() - began).toBeLessThan(10_000)
  })

  test('of an output that is gone says so', async () => {
    const { jobId } = await finished()
    const gone = {
      jobId,
      status: 'done',
      downloadUrl: null,
      error: null,
      expiresAt: '2026-01-01T00:00:00.000Z',
    }
    await using front = await startFront({ conduct: () => ({ status: 200, body: JSON.stringify(gone) }) })
    const error = await thrownBy(kilnOf(key, { baseUrl: front.baseUrl }).download(jobId))
    expect(error).toBeInstanceOf(OutputExpiredError)
    expect(error.message).toMatch(/expired at 2026-01-01/)
  })
})

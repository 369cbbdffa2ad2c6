import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kilnOf, markdown, newKey, temporaryFolder, thrownBy } from '@kiln/test-support/client-service.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { slowMarkdown } from '../../../e2e/documents.ts'
import { AbortedError, TimeoutError } from '../src/index.ts'
import { type FrontOptions, startFront } from './support/front.ts'

// How long a document takes is the machine's affair: with this line, no call learns that its job has ended.
const silentOnTheJob: FrontOptions = {
  conduct: ({ path }) => (path.includes('/v1/conversions/') ? () => {} : 'pass'),
}

let key: string
// Its jobs do not wait for the slow ones of the other account.
let quickKey: string
let folder: string
beforeAll(async () => {
  ;[key, quickKey] = await Promise.all([newKey(), newKey()])
  folder = await temporaryFolder()
})

describe.concurrent('waiting', () => {
  test('is one held question against this service', async () => {
    await using front = await startFront({})
    const kiln = kilnOf(quickKey, { baseUrl: front.baseUrl })
    const job = await kiln.submit({ pair: 'md-to-html', bytes: Buffer.byteLength(markdown) })
    const ended = kiln.wait(job.jobId)
    await sleep(2000)
    await kiln.upload(job, Buffer.from(markdown))
    expect((await ended).status).toBe('done')
    const polls = front.seen.filter(({ path }) => path.endsWith(job.jobId) && path.includes('/v1/'))
    // One is enough, unless the conversion itself takes longer on a busy machine.
    const seconds = (Date.now() - (polls[0]?.at ?? 0)) / 1000
    expect(polls.length).toBeLessThanOrEqual(1 + Math.floor(seconds / 19))
    expect(polls[0]?.headers.prefer).toBe('wait=20')
  })

  test('is a question every 1.5 s against one that ignores Prefer', async () => {
    await using front = await startFront({ dropHeaders: ['prefer'] })
    const asked: number[] = []
    const kiln = kilnOf(quickKey, {
      baseUrl: front.baseUrl,
      fetch: (url, init) => {
        if (String(url).includes('/v1/conversions/')) asked.push(Date.now())
        return fetch(url, init)
      },
    })
    const job = await kiln.submit({ pair: 'md-to-html', bytes: Buffer.byteLength(markdown) })
    const ended = kiln.wait(job.jobId)
    await sleep(3500)
    await kiln.upload(job, Buffer.from(markdown))
    expect((await ended).status).toBe('done')
    expect(asked.length).toBeGreaterThanOrEqual(3)
    const pauses = asked.slice(1).map((at, index) => at - (asked[index] ?? 0))
    expect(Math.min(...pauses)).toBeGreaterThan(1450)
    expect(Math.min(...pauses)).toBeLessThan(2500)
  })

  test('reports progress of the queue and of the conversion', { tags: 'slow' }, async () => {
    const stages: string[] = []
    const fractions: (number | null)[] = []
    const { stream } = await kilnOf(key).convert(slowMarkdown(2500), {
      pair: 'md-to-docx',
      onProgress: ({ stage, fraction }) => {
        if (stages.at(-1) !== stage) stages.push(stage)
        if (stage === 'conversion') fractions.push(fraction)
      },
    })
    await stream.cancel()
    expect(stages.filter((stage) => stage !== 'queue')).toEqual(['upload', 'conversion'])
    for (const fraction of fractions) expect(fraction === null || (fraction >= 0 && fraction <= 1)).toBe(true)
  })

  test('passes on how far the service says it is', async () => {
    const state = (status: string) =>
      JSON.stringify({ jobId: 'j', status, downloadUrl: null, error: null, expiresAt: null })
    await using front = await startFront({
      conduct: ({ times }) =>
        times < 2
          ? {
              status: 200,
              headers: { 'kiln-progress': times === 0 ? '0.42' : 'far' },
              body: state('processing'),
            }
          : { status: 200, body: state('failed') },
    })
    const kiln = kilnOf(key, { baseUrl: front.baseUrl })
    const reported: unknown[] = []
    const ended = await kiln.wait('j', { onProgress: (progress) => reported.push(progress) })
    expect(ended).toMatchObject({ status: 'failed', progress: null })
    const base = { stage: 'conversion', jobId: 'j', loaded: null, total: null }
    expect(reported).toEqual([
      { ...base, fraction: 0.42 },
      { ...base, fraction: null },
    ])
  })

  test('ends at the deadline, names the job, and the job can be resumed', { tags: 'slow' }, async () => {
    await using front = await startFront(silentOnTheJob)
    const kiln = kilnOf(key, { baseUrl: front.baseUrl })
    const output = join(folder, 'later.docx')
    const call = kiln.convert(Buffer.from(markdown), { from: 'md', to: 'docx', output, timeout: 5500 })
    const error = await thrownBy(call)
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error.message).toBe('The call did not end within 5.5 s.')
    expect((await readdir(folder)).filter((name) => name.includes('later'))).toEqual([])
    await kilnOf(key).resume(error.jobId ?? '', { output })
    expect((await readFile(output)).subarray(0, 2).toString()).toBe('PK')
  })

  test('ends when the signal fires, at any moment', async () => {
    await using front = await startFront(silentOnTheJob)
    const kiln = kilnOf(key, { baseUrl: front.baseUrl })
    const output = join(folder, 'aborted.docx')
    for (const after of [0, 5, 40, 150, 600]) {
      const controller = new AbortController()
      const reason = new Error('enough')
      setTimeout(() => controller.abort(reason), after)
      const began = Date.now()
      const { signal } = controller
      const call = kiln.convert(Buffer.from(markdown), { from: 'md', to: 'docx', output, signal })
      const error = await thrownBy(call)
      expect(error).toBeInstanceOf(AbortedError)
      expect(error).toMatchObject({ name: 'AbortError', code: 'aborted', cause: reason })
      expect(Date.now() - began).toBeLessThan(after + 5000)
    }
    expect((await readdir(folder)).filter((name) => name.includes('aborted'))).toEqual([])
    const signal = AbortSignal.abort()
    expect(await thrownBy(kiln.usage({ signal }))).toBeInstanceOf(AbortedError)
    expect(await thrownBy(kiln.wait('x', { timeout: -1 }))).toMatchObject({ code: 'invalid-options' })
  })

  test('a source that hangs does not outlast the call', async () => {
    async function* hanging() {
      yield 'a'
      await new Promise(() => {})
    }
    const error = await thrownBy(kilnOf(key).convert(hanging(), { from: 'md', to: 'html', timeout: 300 }))
    expect(error).toBeInstanceOf(TimeoutError)
  })
})

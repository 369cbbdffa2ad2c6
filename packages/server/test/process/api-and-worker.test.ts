import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { onePage } from '@kiln/test-support/pdf-file.ts'
import { Client } from 'pg'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Apart, slowText, startApart } from './apart.ts'
import { acceptInvitation, chooseFiles, invitation, row, textFile } from './browser/web-app.ts'
import { startProcess, startWorkerProcess } from './service-process.ts'

describe('api and worker apart', () => {
  let apart: Apart
  beforeAll(async () => {
    apart = await startApart()
  }, 180_000)
  afterAll(() => apart?.stop())

  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${apart.api.origin}/api${path}`, {
      ...init,
      headers: { authorization: `Bearer ${apart.key}`, ...init.headers },
    })
  const submit = async (text: string, pair = 'md-to-html') => {
    const body = JSON.stringify({ pair, bytes: Buffer.byteLength(text) })
    const answer = await call('/v1/conversions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return (await answer.json()) as { jobId: string; uploadUrl: string }
  }
  const poll = async (jobId: string, prefer = '') =>
    (await (await call(`/v1/conversions/${jobId}`, { headers: { prefer } })).json()) as Record<
      string,
      string | null
    >

  test('a file goes the whole way through the bucket, and its input is gone at the end', async () => {
    const { jobId, uploadUrl } = await submit('# Shared *clay*\n')
    expect(new URL(uploadUrl).origin).toBe(apart.swift.settings.endpoint)
    expect((await fetch(uploadUrl, { method: 'PUT', body: '# Shared *clay*\n' })).status).toBe(200)
    await poll(jobId)
    const job = await end(jobId)
    expect(job).toMatchObject({ status: 'done', error: null })
    expect(await apart.storage.size(`in/${jobId}`)).toBeNull()
    const download = await fetch(String(job.downloadUrl))
    expect(new URL(String(job.downloadUrl)).port).toBe(new URL(apart.api.origin).port)
    expect(await download.text()).toContain('<em>clay</em>')
  })

  test('a worker needs no credentials of the bucket, but a token', async () => {
    expect(Object.keys(apart.workerEnvironment).filter((name) => name.includes('S3'))).toEqual([])
    const { KILN_WORKER_TOKEN: _, ...without } = apart.workerEnvironment
    await expect(startWorkerProcess(await apart.folder(), without)).rejects.toThrow(/KILN_WORKER_TOKEN/)
  })

  test('a worker of an older deployment works with its bucket credentials', async () => {
    const { KILN_WORKER_TOKEN: _, ...older } = apart.environment
    const worker = await startWorkerProcess(await apart.folder(), older, '--lanes', 'pdf')
    const pdf = onePage('BT /F1 24 Tf 72 700 Td (Older clay) Tj ET').toString('latin1')
    const { jobId, uploadUrl } = await submit(pdf, 'pdf-to-txt')
    await fetch(uploadUrl, { method: 'PUT', body: pdf })
    const { downloadUrl } = await end(jobId)
    expect(await (await fetch(String(downloadUrl))).text()).toContain('Older clay')
    worker.kill()
    await once(worker, 'exit')
  })

  test('with all that a worker’s environment holds, the input of a job that waits cannot be read', async () => {
    const { jobId, uploadUrl } = await submit('# Not yours\n', 'docx-to-pdf')
    await fetch(uploadUrl, { method: 'PUT', body: '# Not yours\n' })
    await poll(jobId)
    const ask = (token: string) =>
      fetch(`${apart.api.origin}/internal/job-files`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apart.workerEnvironment.KILN_WORKER_TOKEN}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ jobId, attempt: 1, token }),
      })
    const [found] = await askDatabase('select status, lease_hash from jobs where id = $1', jobId)
    expect(found).toEqual({ status: 'queued', lease_hash: null })
    for (const token of ['', 'x', 'null']) expect((await ask(token)).status).toBeGreaterThanOrEqual(400)
    const object = new URL(uploadUrl)
    for (const search of ['', object.search]) {
      object.search = search
      expect([400, 403]).toContain((await fetch(object)).status)
    }
    await call(`/v1/conversions/${jobId}`, { method: 'DELETE' })
  })

  test('a request of a compatibility API goes through the bucket, and leaves nothing there', async () => {
    const answer = await fetch(`http://127.0.0.1:${apart.compatPort}/tika`, {
      method: 'PUT',
      headers: { 'x-api-key': apart.key, 'content-type': 'text/html' },
      body: '<p>Shared <em>clay</em>',
    })
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('clay')])
    const jobs = await askDatabase("select id from jobs where pair like 'html-to-%'")
    expect(jobs).toHaveLength(1)
    const { id } = jobs[0]
    const sizes = () => Promise.all([apart.storage.size(`in/${id}`), apart.storage.size(`out/${id}.1`)])
    await expect.poll(sizes).toEqual([null, null])
  })

  test('S3 refuses another length, and the job waits on', async () => {
    const { jobId, uploadUrl } = await submit('exactly this')
    expect((await fetch(uploadUrl, { method: 'PUT', body: 'something longer than that' })).status).toBe(403)
    expect((await poll(jobId)).status).toBe('queued')
  })

  test('an upload is noticed without any call by the client', async () => {
    const { jobId, uploadUrl } = await submit('quiet')
    await fetch(uploadUrl, { method: 'PUT', body: 'quiet' })
    // The output appears although no client polls.
    await expect
      .poll(() => apart.storage.size(`out/${jobId}.1`), { timeout: 20_000, interval: 250 })
      .not.toBeNull()
  })

  test('an object of another size that arrives all the same fails the job and gives the charge back', async () => {
    const usage = async () =>
      (await (await call('/v1/usage')).json()) as { freeTier: { jobsRemaining: number } }
    const before = await usage()
    const { jobId } = await submit('declared')
    const other = await apart.storage.uploadUrl({
      object: `in/${jobId}`,
      bytes: 3,
      expiresAt: new Date(Date.now() + 60_000),
    })
    expect((await fetch(other, { method: 'PUT', body: 'sly' })).status).toBe(200)
    const job = await end(jobId)
    expect(job.status).toBe('failed')
    expect(job.error).toMatch(/^corrupt-input: .*3 bytes/)
    expect((await usage()).freeTier.jobsRemaining).toBe(before.freeTier.jobsRemaining)
    expect(await apart.storage.size(`in/${jobId}`)).toBeNull()
  })

  test('a page of the web app uploads to the bucket, which another origin serves', {
    tags: 'slow',
  }, async () => {
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium-headless-shell',
      args: ['--no-sandbox'],
    })
    try {
      const page = await browser.newPage()
      const uploads: string[] = []
      page.on('response', (response) => {
        if (response.request().method() === 'PUT')
          uploads.push(`${response.status()} ${new URL(response.url()).origin}`)
      })
      const { origin } = apart.api
      const site = {
        folder: await apart.folder(),
        database: apart.database.connectionString,
        origin,
        account: apart.account,
      }
      await acceptInvitation(page, await invitation(site), 'ada')
      await chooseFiles(page, [textFile('clay.md', '# From a *page*')])
      await row(page, 'clay.md').getByLabel(/to$/).selectOption('html')
      await page.getByRole('button', { name: /^Convert / }).click()
      const link = row(page, 'clay.md').getByRole('link', { name: /^Download/ })
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
      expect(await readFile(await download.path(), 'utf8')).toContain('<em>page</em>')
      expect(uploads).toEqual([`200 ${apart.swift.settings.endpoint}`])
    } finally {
      await browser.close()
    }
  })

  test('both processes are recorded, and the worker’s metrics have a separate port', async () => {
    const authorization = 'Bearer a-token-for-the-scraper'
    const read = async (origin: string) =>
      (await fetch(`${origin}/metrics`, { headers: { authorization } })).text()
    expect((await fetch(`${apart.api.origin}/metrics`)).status).toBe(401)
    const ofWorker = await read(`http://127.0.0.1:${apart.metricsPort}`)
    expect(ofWorker).toMatch(/kiln_jobs_ended_total\{pair="md-to-html",engine="pandoc",result="done"\} [1-9]/)
    expect(ofWorker).toMatch(/kiln_slots\{lane="document"\} [1-9]/)
    const ofApi = await read(apart.api.origin)
    expect(ofApi).toMatch(/kiln_submits_total\{pair="md-to-html",outcome="created"\} [1-9]/)
    expect(ofApi).not.toMatch(/kiln_jobs_ended_total\{/)
    await expect
      .poll(async () => (await read(apart.api.origin)).match(/kiln_processes\{kind="\w+"\} \d/g)?.sort(), {
        timeout: 15_000,
      })
      .toEqual(['kiln_processes{kind="api"} 1', 'kiln_processes{kind="worker"} 1'])
  })

  // A rolling restart: every process is asked to stop while the others go on.
  const stopWorker = async (child: ChildProcess) => {
    const began = performance.now()
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const [code] = (await ended) as [number | null]
    return { code, seconds: (performance.now() - began) / 1000 }
  }
  const startSlowJob = async (paragraphs = 2500) => {
    const text = slowText(paragraphs)
    const { jobId, uploadUrl } = await submit(text, 'md-to-docx')
    await fetch(uploadUrl, { method: 'PUT', body: text })
    await expect.poll(async () => (await poll(jobId)).status, { timeout: 20_000 }).toBe('processing')
    return jobId
  }
  const askDatabase = async (question: string, ...values: string[]) => {
    const client = new Client({ connectionString: apart.database.connectionString })
    await client.connect()
    const { rows } = await client.query(question, values)
    await client.end()
    return rows
  }
  const end = async (jobId: string) => {
    for (;;) {
      const job = await poll(jobId, 'wait=25')
      if (job.status === 'done' || job.status === 'failed') return job
    }
  }

  test('a worker that is asked to stop finishes its job first', async () => {
    const jobId = await startSlowJob()
    const { code } = await stopWorker(apart.worker)
    expect(code).toBe(0)
    expect((await poll(jobId)).status).toBe('done')
    apart.worker = await startWorkerProcess(
      await apart.folder(),
      apart.workerEnvironment,
      '--lanes',
      'document',
    )
  })

  test('what does not finish in time goes back, and another worker runs it at once', {
    tags: 'slow',
  }, async () => {
    await stopWorker(apart.worker)
    const hasty = { ...apart.workerEnvironment, KILN_DRAIN_SECONDS: '0' }
    const first = await startWorkerProcess(await apart.folder(), hasty, '--lanes', 'document')
    const jobId = await startSlowJob(1200)
    const { code, seconds } = await stopWorker(first)
    expect(code).toBe(0)
    expect(seconds).toBeLessThan(5)
    expect((await poll(jobId)).status).toBe('processing')
    // It has no lease that has to expire before another worker can take it.
    expect(await askDatabase('select state from pgboss.job where id = $1', jobId)).toEqual([
      { state: 'created' },
    ])
    apart.worker = await startWorkerProcess(
      await apart.folder(),
      apart.workerEnvironment,
      '--lanes',
      'document',
    )
    await expect
      .poll(() => askDatabase('select attempt from jobs where id = $1', jobId), { timeout: 10_000 })
      .toEqual([{ attempt: 2 }])
    expect((await end(jobId)).status).toBe('done')
  })

  test('an API that is asked to stop says first that it is not ready, and answers on; then it ends', {
    tags: 'slow',
  }, async () => {
    const other = await startProcess('main-api.ts', await apart.folder(), {
      ...apart.environment,
      KILN_STOP_NOTICE_SECONDS: '2',
    })
    const usage = () =>
      fetch(`${other.origin}/api/v1/usage`, { headers: { authorization: `Bearer ${apart.key}` } }).then(
        ({ status }) => status,
        (error: Error) => (error.cause as NodeJS.ErrnoException).code,
      )
    const ready = () =>
      fetch(`${other.origin}/readyz`).then(
        ({ status }) => status,
        () => 'closed',
      )
    expect(await ready()).toBe(200)
    const began = performance.now()
    const stopped = other.stop('SIGTERM')
    await expect.poll(ready, { interval: 20 }).toBe(503)
    const answers: unknown[] = []
    for (;;) {
      const answer = await usage()
      // Refused, or reset while it waited to be accepted: the port is closed.
      if (typeof answer !== 'number') break
      answers.push(answer)
    }
    expect(performance.now() - began).toBeGreaterThan(1900)
    expect(answers.length).toBeGreaterThan(10)
    // No answer is cut off in the middle.
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(await stopped).toBe(0)
  })
})

// @module-tag slow

import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { baseUrl, kilnOf, newKey } from '@kiln/test-support/client-service.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { slowMarkdown } from '../../../e2e/documents.ts'
import {
  type Answer,
  eras,
  type Host,
  httpHost,
  startHttpServer,
  stdioHost,
  testFolder,
} from './support/hosts.ts'

// Conversions that outlast a host's patience, and hosts that lose it.

let key: string
beforeAll(async () => {
  key = await newKey()
})

const slow = slowMarkdown(1500)
const slowText = new TextDecoder().decode(slow)

async function untilDone(host: Host, job_id: unknown): Promise<Answer> {
  for (let turn = 0; turn < 100; turn++) {
    const answer = await host.call('check_conversion', { job_id })
    if (answer.isError || answer.structured.status === 'done') return answer
  }
  throw new Error('it never was done')
}

describe.each(eras)('in the protocol of %s', (_name, era) => {
  test('a long conversion answers in time with a job, which is then picked up', async () => {
    const folder = await testFolder()
    await writeFile(join(folder, 'slow.md'), slow)
    const host = await stdioHost(key, folder, era, '--answer-within', '0.3')
    const began = Date.now()
    const first = await host.call('convert_file', { input_path: 'slow.md', to: 'docx' })
    expect(Date.now() - began).toBeLessThan(20_000)
    expect(first.isError, first.text).toBe(false)
    expect(first.structured).toMatchObject({ status: expect.stringMatching(/^(queued|processing)$/) })
    expect(first.text).toMatch(/Call check_conversion with job_id/)
    expect(existsSync(join(folder, 'slow.docx'))).toBe(false)
    const done = await untilDone(host, first.structured.job_id)
    expect(done.structured).toMatchObject({ status: 'done', output_path: join(folder, 'slow.docx') })
    expect((await readFile(join(folder, 'slow.docx'))).subarray(0, 2).toString()).toBe('PK')
  })

  test('a host that cancels ends the work: nothing is written, and the server goes on', async () => {
    const folder = await testFolder()
    await writeFile(join(folder, 'slow.md'), slow)
    const host = await stdioHost(key, folder, era)
    const before = (await kilnOf(key).usage()).freeTier.jobsRemaining
    const controller = new AbortController()
    const call = host.call(
      'convert_file',
      { input_path: 'slow.md', to: 'docx' },
      {
        signal: controller.signal,
        onprogress: () => controller.abort(),
      },
    )
    await expect(call).rejects.toThrow()
    expect((await host.call('list_formats', { from: 'md' })).isError).toBe(false)
    await sleep(2500)
    expect(await readdir(folder)).toEqual(['slow.md'])
    // It is ended at the service as well, and was not charged.
    await expect.poll(async () => (await kilnOf(key).usage()).freeTier.jobsRemaining).toBe(before)
  })

  test('a host that hangs up over HTTP ends the waiting, and the job can still be checked', async () => {
    const account = await newKey()
    const host = await httpHost(`${baseUrl}/mcp`, account, era)
    const controller = new AbortController()
    const call = host.call(
      'convert_file',
      { from: 'md', to: 'docx', text: slowText },
      { signal: controller.signal, onprogress: () => controller.abort() },
    )
    await expect(call).rejects.toThrow()
    expect((await host.call('check_usage', {})).isError).toBe(false)
    expect((await kilnOf(account).usage()).currentWindow.account.jobs).toBe(1)
  })
})

test('over HTTP too, a long conversion answers with a job', async () => {
  const url = await startHttpServer('--answer-within', '0.3')
  const host = await httpHost(url, key)
  const first = await host.call('convert_file', {
    from: 'md',
    to: 'docx',
    text: new TextDecoder().decode(slow),
  })
  expect(first.structured).toMatchObject({ status: expect.stringMatching(/^(queued|processing)$/) })
  const done = await untilDone(host, first.structured.job_id)
  expect(done.structured).toMatchObject({ status: 'done', download_url: expect.stringMatching(/^http/) })
})

test('a job of an earlier session is resumed by its id', async () => {
  const folder = await testFolder()
  const kiln = kilnOf(key)
  const text = Buffer.from('# Earlier\n')
  const job = await kiln.submit({ pair: 'md-to-html', bytes: text.length })
  const host = await stdioHost(key, folder, 'legacy', '--answer-within', '3')
  const before = await host.call('check_conversion', { job_id: job.jobId })
  expect(before.structured).toMatchObject({ status: 'queued', next: expect.stringMatching(/output_path/) })
  await kiln.upload(job, text)
  await kiln.wait(job.jobId)
  const done = await host.call('check_conversion', { job_id: job.jobId, output_path: 'earlier.html' })
  expect(done.structured).toMatchObject({ status: 'done', output_path: join(folder, 'earlier.html') })
  expect(await readFile(join(folder, 'earlier.html'), 'utf8')).toMatch(/Earlier/)
  const again = await host.call('check_conversion', { job_id: job.jobId, output_path: 'earlier.html' })
  expect(again).toMatchObject({ isError: true, text: expect.stringMatching(/overwrite: true/) })
})

test('the server ends when its host closes stdin', async () => {
  const folder = await testFolder()
  const host = await stdioHost(key, folder)
  const { transport } = host.client as unknown as { transport: { pid: number } }
  const { pid } = transport
  await host.client.close()
  for (let waited = 0; isAlive(pid); waited += 50) {
    expect(waited).toBeLessThan(20_000)
    await sleep(50)
  }
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    // The process has ended.
    return false
  }
}

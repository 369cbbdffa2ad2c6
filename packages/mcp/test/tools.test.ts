import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { baseUrl, kilnOf, markdown, newKey } from '@kiln/test-support/client-service.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { passwordProtectedWordFile } from '../../../e2e/documents.ts'
import { eras, type Host, httpHost, startHttpServer, stdioHost, testFolder } from './support/hosts.ts'

let key: string
beforeAll(async () => {
  key = await newKey()
})

const mounted = () => `${baseUrl}/mcp`

describe.each(eras)('in the protocol of %s', (_name, era) => {
  test('a host on this machine converts a file, over stdio', async () => {
    const folder = await testFolder()
    await writeFile(join(folder, 'report.md'), markdown)
    const host = await stdioHost(key, folder, era)
    const answer = await host.call(
      'convert_file',
      { input_path: 'report.md', to: 'html' },
      { onprogress: () => {} },
    )
    expect(answer.isError, answer.text).toBe(false)
    const output = join(folder, 'report.html')
    expect(answer.structured).toEqual({
      status: 'done',
      job_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      output_path: output,
      bytes: (await readFile(output)).length,
      report: [expect.stringMatching(/^pandoc \d/)],
    })
    expect(answer.text).toContain(output)
    expect(await readFile(output, 'utf8')).toMatch(/<em>leaning<\/em>/)
    const { progress } = host
    expect(progress.length).toBeGreaterThan(1)
    expect(progress.every(({ total }) => total === 100)).toBe(true)
    const steps = progress.map((each) => each.progress)
    expect(steps).toEqual([...new Set(steps)].sort((one, other) => one - other))
    expect(progress.map(({ message }) => message)).toContain('Downloading')
  })

  test('a host elsewhere converts a document inside the call, over the service’s own HTTP', async () => {
    const host = await httpHost(mounted(), key, era)
    const answer = await host.call(
      'convert_file',
      { from: 'md', to: 'html', text: markdown, options: { numberSections: true } },
      { onprogress: () => {} },
    )
    expect(answer.isError, answer.text).toBe(false)
    expect(answer.structured).toMatchObject({
      status: 'done',
      text: expect.stringMatching(/<em>leaning<\/em>/),
    })
    const fetched = await fetch(String(answer.structured.download_url))
    expect(await fetched.text()).toBe(answer.structured.text)
    expect(host.progress.length).toBeGreaterThan(0)
  })

  test('a host elsewhere uploads a file itself', async () => {
    const host = await httpHost(mounted(), key, era)
    const bytes = Buffer.from(markdown)
    const declared = await host.call('convert_file', { from: 'md', to: 'docx', bytes: bytes.length })
    expect(declared.structured).toMatchObject({ status: 'waiting-for-upload' })
    expect(declared.text).toMatch(/PUT to the upload URL/)
    await fetch(String(declared.structured.upload_url), { method: 'PUT', body: bytes })
    const checked = await host.call('check_conversion', { job_id: declared.structured.job_id })
    expect(checked.structured).toMatchObject({ status: 'done', bytes: expect.any(Number) })
    expect(checked.structured.text).toBeUndefined()
    const output = await (await fetch(String(checked.structured.download_url))).arrayBuffer()
    expect(Buffer.from(output).subarray(0, 2).toString()).toBe('PK')
  })

  test('both list the same five tools, and say where the files are', async () => {
    const folder = await testFolder()
    const local = await stdioHost(key, folder, era)
    const remote = await httpHost(mounted(), key, era)
    for (const host of [local, remote]) {
      const { tools } = await host.client.listTools()
      expect(tools.map(({ name }) => name).sort()).toEqual([
        'check_conversion',
        'check_usage',
        'convert_file',
        'delete_conversion',
        'list_formats',
      ])
      for (const tool of tools) expect(tool.description?.length).toBeGreaterThan(40)
    }
    const described = async (host: Host) =>
      (await host.client.listTools()).tools.find(({ name }) => name === 'convert_file')?.description
    expect(await described(local)).toContain(folder)
    expect(await described(remote)).toMatch(/cannot read your disk/)
  })
})

test('a host on this machine gets the text too where it asks, a page at a time, and what to look out for', async () => {
  const folder = await testFolder()
  await writeFile(
    join(folder, 'long.md'),
    `# One\n\n~~~{=latex}\n\\foo\n~~~\n\n${'Words. '.repeat(200)}\n\n# Two\n\nLast.\n`,
  )
  const host = await stdioHost(key, folder)
  const answer = await host.call('convert_file', { input_path: 'long.md', to: 'rst', max_characters: 1000 })
  expect(answer.structured).toMatchObject({
    status: 'done',
    page: 1,
    outline: ['One (page 1)', expect.stringMatching(/^Two \(page 2\)$/)],
    warnings: [expect.stringMatching(/One piece of raw markup/)],
  })
  expect(answer.text).toMatch(
    /Warning: One piece[\s\S]*pandoc \d[\s\S]*Outline:\nOne[\s\S]*Page 1 of 2[\s\S]*page: 2, max_characters: 1000/,
  )
  const { job_id } = answer.structured
  const second = await host.call('check_conversion', { job_id, page: 2, max_characters: 1000 })
  expect(second.structured).toMatchObject({ page: 2, pages: 2, text: expect.stringContaining('Last.') })
})

test.each(['here', 'elsewhere'])(
  'a host %s cancels a conversion, and deletes one that is done',
  async (where) => {
    const host = where === 'here' ? await stdioHost(key, await testFolder()) : await httpHost(mounted(), key)
    const kiln = kilnOf(key)
    const waiting = await kiln.submit({ pair: 'md-to-html', bytes: 5 })
    for (let times = 0; times < 2; times++) {
      const answer = await host.call('delete_conversion', { job_id: waiting.jobId })
      expect(answer.structured).toEqual({ job_id: waiting.jobId, cancelled: true })
      expect(answer.text).toMatch(/cancelled, was not charged/)
    }
    expect((await kiln.get(waiting.jobId)).error).toMatch(/^cancelled: /)
    const done = await kiln.convert(new TextEncoder().encode(markdown), { from: 'md', to: 'html' })
    await done.stream.cancel()
    const answer = await host.call('delete_conversion', { job_id: done.jobId })
    expect(answer.structured).toEqual({ job_id: done.jobId, cancelled: false })
    await expect(kiln.download(done.jobId)).rejects.toMatchObject({ code: 'output-expired' })
    const none = await host.call('delete_conversion', { job_id: crypto.randomUUID() })
    expect(none).toMatchObject({ isError: true, text: expect.stringMatching(/Check the job id/) })
  },
)

describe('list_formats and check_usage', () => {
  test('answer in words and in structure', async () => {
    const host = await httpHost(mounted(), key)
    const formats = await host.call('list_formats', { from: 'docx' })
    expect(formats.text).toMatch(/^docx to .*\bpdf\b/)
    expect(formats.structured.pairs).toContainEqual({
      from: 'docx',
      to: 'pdf',
      max_megabytes: 50,
      cost_credits: 1,
    })
    const pair = await host.call('list_formats', { from: 'Markdown', to: '.htm' })
    expect(pair.structured.options).toMatchObject({ properties: { toc: { type: 'boolean' } } })
    expect(pair.text).toMatch(/^md to html\noption toc: Table of contents/)
    expect((await host.call('list_formats', { from: 'nothing' })).text).toMatch(/Nothing of that kind/)
    const usage = await host.call('check_usage', {})
    const { freeTier, creditsBalance } = await kilnOf(key).usage()
    expect(usage.structured).toMatchObject({
      free_conversions_left: freeTier.jobsRemaining,
      credits: creditsBalance,
    })
    expect(usage.text).toMatch(/of 50 free conversions are left/)
  })
})

describe('a refusal says what to do next', () => {
  const refusals: [string, Record<string, unknown>, RegExp][] = [
    [
      'a pair of the browser',
      { from: 'png', to: 'jpg', bytes: 10 },
      /user’s own machine.*magick INPUT OUTPUT/s,
    ],
    ['sound', { from: 'mp3', to: 'wav', bytes: 10 }, /ffmpeg -i INPUT OUTPUT/],
    ['an archive', { from: 'zip', to: 'tar', bytes: 10 }, /tar/],
    [
      'a pair with a detour',
      { from: 'pptx', to: 'docx', bytes: 10 },
      /pptx can become: .*two steps: pptx to (\w+), then \1 to docx/s,
    ],
    ['an unknown source', { from: 'xyz', to: 'pdf', bytes: 10 }, /list_formats/],
    ['too large a file', { from: 'md', to: 'html', bytes: 10 ** 10 }, /smaller part/],
    ['an empty file', { from: 'md', to: 'html', text: '' }, /an empty file cannot be converted/],
    ['no content', { from: 'md', to: 'html' }, /exactly one of `text`, `base64` and `bytes`/],
    ['two contents', { from: 'md', to: 'html', text: 'a', bytes: 1 }, /exactly one/],
    ['content that is no base64', { from: 'md', to: 'html', base64: '%%%' }, /not base64/],
    [
      'a locked file',
      { from: 'docx', to: 'pdf', base64: Buffer.from(passwordProtectedWordFile()).toString('base64') },
      /password.*Ask the user for a copy without a password.*Nothing was charged/s,
    ],
  ]
  test.each(refusals)('%s', async (_what, args, advice) => {
    const host = await httpHost(mounted(), key)
    const answer = await host.call('convert_file', args)
    expect(answer.isError).toBe(true)
    expect(answer.text).toMatch(advice)
  })

  test('a job that is not there, or of another account', async () => {
    const host = await httpHost(mounted(), key)
    const missing = await host.call('check_conversion', { job_id: crypto.randomUUID() })
    expect(missing).toMatchObject({ isError: true, text: expect.stringMatching(/Check the job id/) })
    const { jobId } = await kilnOf(await newKey(0)).submit({ pair: 'md-to-html', bytes: 3 })
    const foreign = await host.call('check_conversion', { job_id: jobId })
    expect(foreign).toMatchObject({ isError: true, text: expect.stringMatching(/another account/) })
  })

  test('no credits', async () => {
    const poor = await newKey(0)
    for (let free = 0; free < 50; free++) await kilnOf(poor).submit({ pair: 'md-to-html', bytes: 1 })
    const host = await httpHost(mounted(), poor)
    const answer = await host.call('convert_file', { from: 'md', to: 'html', text: 'a' })
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringMatching(/tell the user to add credits/),
    })
  })

  test('a wrong key and a service that is away, over stdio', async () => {
    const folder = await testFolder()
    await writeFile(join(folder, 'a.md'), 'a')
    const wrong = await stdioHost('kiln_live_wrong', folder)
    const answer = await wrong.call('convert_file', { input_path: 'a.md', to: 'html' })
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringMatching(/ask the user.*KILN_API_KEY/s),
    })
  })
})

describe('over HTTP', () => {
  test('only a valid key gets in', async () => {
    const post = (headers: Record<string, string>) =>
      fetch(mounted(), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      })
    for (const headers of [
      {},
      { authorization: 'Bearer kiln_live_wrong' },
      { authorization: 'Basic eDp5' },
    ]) {
      const answer = await post(headers as Record<string, string>)
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
      expect(await answer.json()).toMatchObject({ code: 'unauthenticated' })
    }
    await expect(httpHost(mounted(), 'kiln_live_wrong')).rejects.toThrow()
  })

  test('a call that is too large is refused', async () => {
    // The server may close the connection before the whole body is sent.
    const answer = await fetch(mounted(), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { text: 'x'.repeat(14e6) },
      }),
    }).catch(() => null)
    if (answer) expect(answer.status).toBe(413)
  })

  test('a server on its own port serves hosts with their keys, and no pages', async () => {
    const url = await startHttpServer()
    const host = await httpHost(url, key)
    const answer = await host.call('convert_file', { from: 'md', to: 'html', text: markdown })
    expect(answer.structured.text).toMatch(/leaning/)
    const post = (headers: Record<string, string>, path = '/mcp') =>
      fetch(new URL(path, url), { method: 'POST', headers, body: '{}' }).then(({ status }) => status)
    expect(await post({})).toBe(401)
    expect(await post({ authorization: 'Bearer x', origin: 'https://evil.example' })).toBe(403)
    expect(await post({ authorization: 'Bearer x' }, '/other')).toBe(404)
  })
})

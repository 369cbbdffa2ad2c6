import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { kilnOf, markdown, newKey, temporaryFolder, thrownBy } from '@kiln/test-support/client-service.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { passwordProtectedWordFile } from '../../../e2e/documents.ts'
import {
  ClientPairError,
  ConversionFailedError,
  FileError,
  ForbiddenError,
  type Kiln,
  KilnError,
  NotFoundError,
  type Progress,
  RequireCreditsError,
  TooLargeError,
  UnauthenticatedError,
  UnknownPairError,
} from '../src/index.ts'

let key: string
let kiln: Kiln
let folder: string
let input: string

beforeAll(async () => {
  key = await newKey()
  kiln = kilnOf(key)
  folder = await temporaryFolder()
  input = join(folder, 'report.md')
  await writeFile(input, markdown)
})

const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()
describe('convert', () => {
  test('takes a path to a path, formats from the names', async () => {
    const output = join(folder, 'report.html')
    const saved = await kiln.convert(input, { output })
    expect(await readFile(output, 'utf8')).toMatch(/<em>leaning<\/em>/)
    expect(saved).toEqual({
      jobId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      bytes: (await readFile(output)).length,
      report: null,
      contentType: 'text/html; charset=utf-8',
      fileName: expect.stringMatching(/\.html$/),
      expiresAt: expect.stringMatching(/Z$/),
    })
  })

  const bytes = new TextEncoder().encode(markdown)
  const unnamed: [string, () => Parameters<Kiln['convert']>[0]][] = [
    ['a Buffer', () => Buffer.from(markdown)],
    ['a Uint8Array inside a larger buffer', () => new Uint8Array([9, 9, ...bytes, 9]).subarray(2, -1)],
    ['an ArrayBuffer', () => bytes.slice().buffer],
    ['a Blob', () => new Blob([markdown])],
    ['a web stream', () => new Blob([markdown]).stream()],
    ['a Node stream', () => createReadStream(input)],
    [
      'a generator of text',
      async function* () {
        yield '# Kiln report\n\nPlain words '
        yield 'and *leaning* ones.\n'
      },
    ],
  ]
  test.each(unnamed)('takes %s with a given format', async (_name, make) => {
    const { stream, bytes: length } = await kiln.convert(make(), { from: 'md', to: 'html' })
    const text = await textOf(stream)
    expect(text).toMatch(/<em>leaning<\/em>/)
    expect(length).toBe(Buffer.byteLength(text))
  })

  test('takes a stream whose length is known as it comes', async () => {
    const { stream } = await kiln.convert(createReadStream(input), {
      pair: 'md-to-html',
      bytes: Buffer.byteLength(markdown),
    })
    expect(await textOf(stream)).toMatch(/leaning/)
  })

  test('takes a File and a file URL by their names, and other spellings of formats', async () => {
    const file = new File([markdown], 'notes.markdown')
    expect(await textOf((await kiln.convert(file, { to: '.HTM' })).stream)).toMatch(/leaning/)
    expect(await textOf((await kiln.convert(pathToFileURL(input), { to: 'rst' })).stream)).toMatch(
      /\*leaning\*/,
    )
  })

  test('writes into a Node stream, a web stream and a file URL', async () => {
    const path = join(folder, 'streamed.html')
    await kiln.convert(input, { to: 'html', output: createWriteStream(path) })
    expect(await readFile(path, 'utf8')).toMatch(/leaning/)
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const [text] = await Promise.all([
      textOf(readable),
      kiln.convert(input, { to: 'html', output: writable }),
    ])
    expect(text).toMatch(/leaning/)
    const url = pathToFileURL(join(folder, 'by-url.rst'))
    await kiln.convert(input, { output: url })
    expect(await readFile(url, 'utf8')).toMatch(/leaning/)
  })

  test('reports progress of upload, conversion and download', async () => {
    const seen: Progress[] = []
    const { jobId } = await kiln.convert(input, {
      output: join(folder, 'given.html'),
      onProgress: (progress) => seen.push(progress),
    })
    expect(seen.every((each) => each.jobId === jobId)).toBe(true)
    const stages = [...new Set(seen.map(({ stage }) => stage))]
    expect(stages.filter((stage) => stage !== 'queue' && stage !== 'conversion')).toEqual([
      'upload',
      'download',
    ])
    for (const stage of ['upload', 'download']) {
      const fractions = seen.filter((each) => each.stage === stage).map(({ fraction }) => fraction)
      expect(fractions[0]).toBe(0)
      expect(fractions.at(-1)).toBe(1)
    }
    const total = Buffer.byteLength(markdown)
    expect(seen.filter(({ stage }) => stage === 'upload').at(-1)).toMatchObject({ loaded: total, total })
  })

  test('goes through a link to the file behind it, and keeps the link', async () => {
    const real = join(folder, 'real.html')
    const link = join(folder, 'link.html')
    await writeFile(real, 'old')
    await symlink(real, link)
    await kiln.convert(input, { output: link })
    expect(await readFile(real, 'utf8')).toMatch(/leaning/)
  })

  test('does not overwrite an existing file on request, and fails before anything is charged', async () => {
    const output = join(folder, 'kept.html')
    await writeFile(output, 'mine')
    const before = await kiln.usage()
    const error = await thrownBy(kiln.convert(input, { output, overwrite: false }))
    expect(error).toBeInstanceOf(FileError)
    expect(error.message).toBe(`Cannot write ${output}: it exists already.`)
    expect(await readFile(output, 'utf8')).toBe('mine')
    expect(await kiln.usage()).toEqual(before)
    await kiln.convert(input, { output })
    expect(await readFile(output, 'utf8')).toMatch(/leaning/)
  })
})

describe('a refusal', () => {
  test.each([
    ['unknown-pair', UnknownPairError, { pair: 'md-to-nothing' }],
    ['client-pair', ClientPairError, { pair: 'png-to-jpg' }],
  ])('%s is an error of its own class, with all facts', async (code, type, options) => {
    const error = await thrownBy(kiln.convert(Buffer.from('x'), options))
    expect(error).toBeInstanceOf(type)
    expect(error).toBeInstanceOf(KilnError)
    expect(error).toMatchObject({
      code,
      status: 400,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      retryAfter: null,
      jobId: null,
    })
  })

  test('too-large comes before a byte is sent', async () => {
    const error = await thrownBy(kiln.submit({ pair: 'md-to-html', bytes: 10 ** 9 }))
    expect(error).toBeInstanceOf(TooLargeError)
    expect(error.status).toBe(413)
  })

  test('of a key, of credits, of a job', async () => {
    expect(await thrownBy(kilnOf('kiln_live_wrong').usage())).toBeInstanceOf(UnauthenticatedError)
    expect(await thrownBy(kilnOf(null).usage())).toBeInstanceOf(UnauthenticatedError)
    const { jobId } = await kiln.submit({ pair: 'md-to-html', bytes: 1 })
    const otherAccount = kilnOf(await newKey(0))
    expect(await thrownBy(otherAccount.get(jobId))).toBeInstanceOf(ForbiddenError)
    expect(await thrownBy(otherAccount.get(crypto.randomUUID()))).toBeInstanceOf(NotFoundError)
    for (let free = 0; free < 50; free++) await otherAccount.submit({ pair: 'md-to-html', bytes: 1 })
    expect(await thrownBy(otherAccount.submit({ pair: 'md-to-html', bytes: 1 }))).toBeInstanceOf(
      RequireCreditsError,
    )
  })

  test('a failed conversion says why, and which job it was', async () => {
    const output = join(folder, 'locked.pdf')
    const error = await thrownBy(kiln.convert(passwordProtectedWordFile(), { from: 'docx', output }))
    expect(error).toBeInstanceOf(ConversionFailedError)
    expect(error).toMatchObject({ code: 'conversion-failed', reason: 'password-protected', status: null })
    expect((await kiln.get(error.jobId ?? '')).status).toBe('failed')
    expect((await readdir(folder)).filter((name) => name.includes('locked'))).toEqual([])
  })

  test.each([
    ['no such file', () => kiln.convert(join(folder, 'nowhere.md'), { to: 'html' }), 'file', /no such file/],
    ['a folder', () => kiln.convert(folder, { from: 'md', to: 'html' }), 'file', /it is a folder/],
    [
      'an output in no folder',
      () => kiln.convert(input, { output: join(folder, 'no/a.html') }),
      'file',
      /no such/,
    ],
    ['no source format', () => kiln.convert(Buffer.from('x'), { to: 'html' }), 'invalid-options', /`from`/],
    ['no target format', () => kiln.convert(input, {}), 'invalid-options', /`to`/],
    [
      'a web address',
      () => kiln.convert(new URL('https://a.example/b.md'), {}),
      'invalid-options',
      /not a file/,
    ],
  ])('of %s is reported in a sentence, and sends nothing', async (_name, run, code, message) => {
    const error = await thrownBy(run())
    expect(error.code).toBe(code)
    expect(error.message).toMatch(message)
    expect(error.jobId).toBeNull()
  })
})

describe('step by step', () => {
  test('submit, upload, get, wait, download', async () => {
    const job = await kiln.submit({ pair: 'md-to-html', bytes: Buffer.byteLength(markdown) })
    expect(job).toMatchObject({ pollUrl: `/api/v1/conversions/${job.jobId}` })
    expect(await kiln.get(job.jobId)).toMatchObject({ status: 'queued', progress: null })
    expect((await thrownBy(kiln.download(job.jobId))).message).toMatch(/still queued/)
    await kiln.upload(job, input)
    expect(await kiln.wait(job.jobId)).toMatchObject({ status: 'done', error: null })
    expect(await textOf((await kiln.download(job.jobId)).stream)).toMatch(/leaning/)
  })

  test('a submit under the same key is the same job', async () => {
    const idempotencyKey = crypto.randomUUID()
    const first = await kiln.submit({ pair: 'md-to-html', bytes: 5, idempotencyKey })
    const second = await kiln.submit({ pair: 'md-to-html', bytes: 5, idempotencyKey })
    expect(second).toMatchObject({ jobId: first.jobId, idempotent: true, idempotencyKey })
  })

  test('resumes a job by its id, in another client', async () => {
    const job = await kiln.submit({ pair: 'md-to-html', bytes: Buffer.byteLength(markdown) })
    await kiln.upload(job, new Blob([markdown]))
    const output = join(folder, 'resumed.html')
    await kilnOf(key).resume(job.jobId, { output })
    expect(await readFile(output, 'utf8')).toMatch(/leaning/)
  })

  test('formats without a key, usage with one', async () => {
    const pairs = await kilnOf(null).formats()
    expect(pairs.find(({ pair }) => pair === 'md-to-html')).toMatchObject({ from: 'md', to: 'html' })
    expect((await kiln.usage()).freeTier.jobsPerMonth).toBe(50)
  })

  test('nothing temporary is left behind', async () => {
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

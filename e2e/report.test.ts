import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { anonymous, someClient } from './accounts.ts'
import { picture, wordFileWith } from './documents.ts'
import { expectError, expectJob, expectJson } from './expectations.ts'
import { film, scan } from './generated-files.ts'
import { type ApiDescription, resolve, validatorOf } from './openapi.ts'
import { requirement } from './requirements.ts'
import { type Answer, type Bytes, bytesOf } from './service.ts'

const client = someClient(0)
const other = someClient(1)

interface Report {
  status: string
  engine: { name: string; version: string | null } | null
  seconds: number
  input: Record<string, number | null>
  output: Record<string, number | null>
  fonts: { font: string; by: string | null; widths: string }[]
  leftOut: { what: string; count: number }[]
  recognized: unknown
  encoding: unknown
  streams: { kind: string; codec: string; fate: string; as: string | null }[]
  warnings: string[]
  more: Record<string, number>
}

let description: ApiDescription
beforeAll(async () => {
  description = (await anonymous.get('/openapi.json')).body as ApiDescription
})

/** The report, validated against the API description. */
const expectReport = (answer: Answer): Report => {
  expect(answer.status, answer.text).toBe(200)
  expectJson(answer)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const described = description.paths['/v1/conversions/{id}/report']?.get?.responses['200'] ?? {}
  const schema = resolve(description, described).content?.['application/json']?.schema ?? {}
  expect(validatorOf(description)(schema, answer.body)).toEqual([])
  return answer.body as Report
}

const reportOn = async (pair: string, input: Bytes): Promise<Report> => {
  const job = await client.run(pair, input)
  expect(job.status, String(job.error)).toBe('done')
  return expectReport(await client.report(job.jobId))
}

const text = bytesOf('# Report on me\n\nSome words.\n')

describe('GET /v1/conversions/{id}/report', () => {
  test(`${requirement('report.link', 'report.same-body', 'report.shape')} is linked from the poll, whose body stays as it is`, async () => {
    const { jobId } = await client.run('md-to-html', text)
    const polled = await client.poll(jobId)
    expectJob(polled, 'done')
    const target = /^<([^<>]+)>; rel="describedby"/.exec(polled.headers.get('link') ?? '')?.[1] ?? ''
    expect(target).toBe(`${client.prefix}/v1/conversions/${jobId}/report`)
    const report = expectReport(await client.report(jobId))
    expect(report).toMatchObject({
      jobId,
      status: 'done',
      pair: 'md-to-html',
      engine: { name: 'pandoc' },
      input: { bytes: text.length, words: 5 },
      output: { words: 5 },
      warnings: [],
    })
    expect(report.seconds).toBeGreaterThan(0)
  })

  test(`${requirement('report.not-before-the-end', 'report.link')} is not there before the end`, async () => {
    const { jobId } = await client.job('md-to-html', text.length)
    expect((await client.poll(jobId)).headers.get('link')).toBeNull()
    expect(expectError(await client.report(jobId), 'not-found')).toMatch(/still queued.*ended/)
  })

  test(`${requirement('report.failed', 'report.shape')} has what is known of a failed job`, async () => {
    const { jobId } = await client.run('docx-to-html', picture())
    expect((await client.poll(jobId)).headers.get('link')).toContain('/report>')
    expect(expectReport(await client.report(jobId))).toMatchObject({
      status: 'failed',
      engine: { name: 'pandoc', version: null },
      input: { bytes: picture().length },
      output: { bytes: null, pages: null },
    })
  })

  test(`${requirement('report.owner-only')} is the owner's alone`, async () => {
    const { jobId } = await client.run('md-to-html', text)
    expectError(await other.report(jobId), 'forbidden')
    expectError(await anonymous.report(jobId), 'unauthenticated')
    for (const id of [randomUUID(), 'nonsense', '%00', `${'a'.repeat(500)}`]) {
      expectError(await client.report(id), 'not-found')
      expectError(await anonymous.report(id), 'unauthenticated')
    }
  })
})

describe('the report of an office document', () => {
  const fonts = ['Calibri', 'Aptos', 'Frutiger Zero', `Bad\u202ename${'x'.repeat(300)}`]
  let report: Report
  beforeAll(async () => {
    const runs = fonts.map(
      (font) =>
        `<w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}"/></w:rPr><w:t xml:space="preserve">Words in a font of its own. </w:t></w:r>`,
    )
    report = await reportOn(
      'docx-to-pdf',
      wordFileWith({
        body: `<w:p>${runs.join('')}</w:p>`,
        macros: true,
        remotePicture: 'https://example.com/logo.png',
      }),
    )
  }, 120_000)

  test(`${requirement('report.fonts')} names the fonts that were replaced, and says whether lines keep their breaks`, () => {
    expect(report.fonts).toContainEqual({
      font: 'Calibri',
      by: expect.stringMatching(/Carlito/),
      widths: 'same',
    })
    expect(report.fonts).toContainEqual({ font: 'Aptos', by: expect.stringMatching(/Lato/), widths: 'near' })
    expect(report.fonts).toContainEqual({ font: 'Frutiger Zero', by: expect.any(String), widths: 'other' })
    expect(report.warnings[0]).toMatch(/Frutiger Zero by .*Aptos by .*may break in other places/)
    expect(report.warnings[0]).not.toContain('Calibri')
  })

  test(`${requirement('report.left-out')} counts macros and pictures on the web, and warns of them`, () => {
    expect(report.leftOut).toEqual([
      { what: 'macros', count: 1 },
      { what: 'remote-pictures', count: 1 },
    ])
    expect(report.warnings.join('\n')).toMatch(/macros.*did not run[\s\S]*One remote picture was not loaded/)
  })

  test(`${requirement('report.shape')} counts pages and words, and names the engine`, () => {
    expect(report.engine).toEqual({ name: 'libreoffice', version: expect.stringMatching(/^\d+(\.\d+)+$/) })
    expect(report.input.words).toBe(28)
    expect(report.output).toMatchObject({ pages: 1, words: 28 })
  })

  test(`${requirement('report.bounded')} holds no name as the file gave it`, () => {
    const bad = report.fonts.find(({ font }) => font.startsWith('Bad'))?.font ?? ''
    expect(bad).toMatch(/^Bad namex+…$/)
    expect(bad.length).toBe(80)
    expect(report.more).toEqual({ fonts: 0, leftOut: 0, streams: 0, warnings: 0 })
  })
})

describe('the report of a page', () => {
  test(`${requirement('report.left-out', 'report.fonts')} lists what lies outside of it`, async () => {
    const page = `<!doctype html><link rel="stylesheet" href="https://example.com/a.css"><style>h1 { font-family: "Inter Tight", sans-serif }</style>
      <h1>A page</h1><script>document.title = 'x'</script><img src="https://example.com/a.png"><img src="beside.png">`
    const report = await reportOn('html-to-pdf', bytesOf(page))
    expect(report.leftOut.map(({ what, count }) => `${count} ${what}`)).toEqual([
      '1 scripts',
      '1 remote-pictures',
      '1 remote-styles',
      '1 missing-pictures',
    ])
    expect(report.warnings.length).toBe(5)
    expect(report.fonts).toEqual([{ font: 'Inter Tight', by: expect.any(String), widths: 'other' }])
    expect(report.engine).toEqual({ name: 'chromium', version: expect.stringMatching(/^\d+(\.\d+)+$/) })
    expect(report.output).toMatchObject({ pages: 1, words: 2 })
  })

  test(`${requirement('report.left-out')} and so does that of Markdown which becomes Word`, async () => {
    const report = await reportOn(
      'md-to-docx',
      bytesOf('# One\n\n![logo](https://example.com/a.png) ![b](beside.png)\n\n$\\unknown{x}$\n'),
    )
    expect(report.leftOut.map(({ what, count }) => `${count} ${what}`)).toEqual([
      '1 remote-pictures',
      '1 missing-pictures',
    ])
    expect(report.warnings.at(-1)).toMatch(/One formula could not be converted/)
    expect(report.engine).toEqual({ name: 'pandoc', version: expect.stringMatching(/^\d+(\.\d+)+$/) })
  })
})

describe('the report of a scan', () => {
  test(`${requirement('report.encoding')} names the encoding of a text`, async () => {
    const table = Buffer.from('96bc914f2c94f1979d0a8db293a1917e98592c33300a', 'hex')
    const { encoding } = await reportOn('csv-to-md', table)
    expect(encoding).toMatchObject({ name: 'shift_jis', by: 'detected' })
  })

  test(`${requirement('report.recognized')} lists what was recognised instead of read`, {
    timeout: 120_000,
    tags: 'slow',
  }, async () => {
    const report = await reportOn('pdf-to-docx', scan('Kilns fire clay at great heat.'))
    expect(report.recognized).toEqual({
      pages: '1',
      count: 1,
      languages: expect.arrayContaining(['eng']),
      confidence: expect.closeTo(0.9, 0),
    })
    expect(report.warnings).toEqual([
      expect.stringMatching(/page 1 was recognised from pictures \(.*eng.*% sure\)/),
    ])
    expect(report.input).toMatchObject({ pages: 1, words: 6, pictures: 1 })
    expect(report.output).toMatchObject({ words: 6, pictures: 1 })
  })
})

describe('the report of a video', () => {
  const fates = ({ streams }: Report) =>
    streams.map(({ kind, codec, fate, as }) => `${kind} ${codec} ${fate}${as === null ? '' : ` as ${as}`}`)

  test(`${requirement('report.streams', 'report.left-out')} lists what was copied, encoded and left out`, async () => {
    const mkv = film('mkv', { video: 'libx264', audio: 'aac', subtitles: 'srt' })
    const copied = await reportOn('mkv-to-mp4', mkv)
    expect(fates(copied)).toEqual([
      'video h264 copied',
      'audio aac copied',
      'subtitle subrip encoded as mov_text',
    ])
    expect(copied).toMatchObject({ leftOut: [], warnings: [], engine: { name: 'ffmpeg' } })
    expect(copied.output.seconds).toBeCloseTo(1, 0)
    const gif = await reportOn('mkv-to-gif', mkv)
    expect(fates(gif)).toEqual([
      'video h264 encoded as gif',
      'audio aac left-out',
      'subtitle subrip left-out',
    ])
    expect(gif.warnings).toEqual([
      expect.stringMatching(/subtitle track/),
      expect.stringMatching(/sound track/),
    ])
    const encoded = await reportOn('avi-to-mp4', film('avi', { video: 'mpeg4', audio: 'pcm_s16le' }))
    expect(fates(encoded)).toEqual(['video mpeg4 encoded as h264', 'audio pcm_s16le encoded as aac'])
  }, 120_000)
})

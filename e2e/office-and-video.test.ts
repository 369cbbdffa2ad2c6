import { unzip } from '@kiln/test-support/zip.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { someClient } from './accounts.ts'
import { wordFile } from './documents.ts'
import { expectJob } from './expectations.ts'
import { pdfText } from './pdf-text.ts'
import { requirement } from './requirements.ts'
import { bytesOf, isEnded, upload } from './service.ts'
import { isWebm, movingGif, readMp4 } from './video-files.ts'

const client = someClient()

describe('office documents', () => {
  const inputs: [string, Uint8Array<ArrayBuffer>][] = [
    ['docx', wordFile('Kiln office words')],
    ['txt', bytesOf('Kiln office words\n')],
    ['csv', bytesOf('name,words\nfirst,Kiln office words\n')],
    ['rtf', bytesOf('{\\rtf1\\ansi{\\fonttbl{\\f0 Times;}}\\f0 Kiln office words\\par}')],
  ]
  test.each(inputs)(
    `${requirement('areas.office-to-pdf')} %s becomes PDF with its words`,
    async (from, input) => {
      const output = await client.convert(`${from}-to-pdf`, input)
      expect(Buffer.from(output).toString('latin1', 0, 5)).toBe('%PDF-')
      expect(await pdfText(output)).toContain('Kiln office words')
    },
  )
})

describe('PDF', () => {
  test(`${requirement('areas.pdf-to-word')} becomes Word with its words in paragraphs`, async () => {
    const pdf = await client.convert('docx-to-pdf', wordFile('Kiln words on paper'))
    const output = await client.convert('pdf-to-docx', pdf)
    const body = unzip(output).get('word/document.xml')?.toString() ?? ''
    expect(body.replace(/<[^>]+>/g, '')).toContain('Kiln words on paper')
    expect(body).not.toContain('<w:txbxContent')
  }, 120_000)
})

describe('video', () => {
  let mp4: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    mp4 = await client.convert('gif-to-mp4', movingGif(160, 120, 75))
  })

  test(`${requirement('areas.video')} keeps its size and its length from GIF to MP4`, () => {
    const { width, height, seconds } = readMp4(mp4)
    expect({ width, height }).toEqual({ width: 160, height: 120 })
    expect(seconds).toBeGreaterThan(2.8)
    expect(seconds).toBeLessThan(3.2)
  })

  test(`${requirement('areas.video', 'progress.header', 'progress.same-body')} goes to WebM and back, and reports its progress`, async () => {
    const { jobId, uploadUrl } = await client.job('mp4-to-webm', mp4.length)
    const queued = await client.poll(jobId)
    expect(queued.headers.get('kiln-progress')).toBeNull()
    await upload(uploadUrl, mp4)
    const progressSeen: number[] = []
    for (;;) {
      const answer = await client.poll(jobId)
      const job = expectJob(answer)
      const progress = answer.headers.get('kiln-progress')
      if (progress !== null) {
        expect(job.status).toBe('processing')
        expect(progress).toMatch(/^(0(\.\d+)?|1(\.0+)?)$/)
        progressSeen.push(Number(progress))
      }
      if (isEnded(job)) break
    }
    expect(progressSeen.length).toBeGreaterThan(0)
    expect(progressSeen).toEqual([...progressSeen].sort((one, two) => one - two))
    const done = expectJob(await client.poll(jobId), 'done')
    const webm = new Uint8Array(await (await fetch(done.downloadUrl ?? '')).arrayBuffer())
    expect(isWebm(webm)).toBe(true)
    const again = readMp4(await client.convert('webm-to-mp4', webm))
    expect(again).toMatchObject({ width: 160, height: 120 })
    expect(again.seconds).toBeCloseTo(3, 0)
  })
})

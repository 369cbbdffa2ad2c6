import { png } from '@kiln/test-support/documents.ts'
import { outlookMail } from '@kiln/test-support/outlook-mail.ts'
import { zip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'
import { someClient } from './accounts.ts'
import { film } from './generated-files.ts'
import { runWith } from './options.ts'
import { pdfText } from './pdf-text.ts'
import { requirement } from './requirements.ts'
import { readMp4 } from './video-files.ts'

// Documents that are more than one text: archives with their parts, mails. And further kinds of video.

const client = someClient()

const archive = (files: Readonly<Record<string, string | Buffer>>) =>
  new Uint8Array(zip(Object.entries(files).map(([name, content]) => ({ name, content }))))

test(`${requirement('sources.archive', 'sources.archive-without-main')} a document comes as an archive with its parts`, async () => {
  const page = archive({
    'site/index.html':
      '<link rel="stylesheet" href="look.css"><p>Seen</p><p class="no">Unseen</p><img src="a.png">',
    'site/look.css': '.no { display: none }',
    'site/a.png': png,
  })
  const printed = await runWith(client, 'html-to-pdf', page, {})
  const pdf = new Uint8Array(await (await fetch(printed.downloadUrl ?? '')).arrayBuffer())
  expect((await pdfText(pdf)).trim()).toBe('Seen')
  const report = (await client.get(`/v1/conversions/${printed.jobId}/report`)).body
  expect(report).toMatchObject({ input: { pictures: 1 }, leftOut: [] })

  const paper = archive({
    'main.tex': '\\documentclass{article}\\begin{document}\\input{parts/one}\\end{document}',
    'parts/one.tex': 'Words of a part.',
  })
  expect(
    Buffer.from(await client.convert('latex-to-md', paper))
      .toString()
      .trim(),
  ).toBe('Words of a part.')
  const without = await runWith(client, 'md-to-html', archive({ 'a.txt': 'x' }), {})
  expect(without.error).toMatch(/^wrong-format: The ZIP archive holds no Markdown file \(\.md, \.markdown\)/)
})

test(`${requirement('sources.mail')} a mail becomes PDF and Markdown`, async () => {
  const attachments = [
    { name: 'clay.png', content: png, id: 'clay', type: 'image/png' },
    { name: 'prices.csv', content: Buffer.from('a,b') },
  ]
  const html = Buffer.from('<p>Clay and glaze</p><img src="cid:clay"><img src="https://example.org/a.png">')
  const saved = outlookMail({
    subject: 'Offer',
    sender: { name: 'Anna', address: 'a@example.org' },
    html,
    attachments,
  })
  const printed = await runWith(client, 'msg-to-pdf', new Uint8Array(saved), { pageSize: 'A5' })
  const pdf = new Uint8Array(await (await fetch(printed.downloadUrl ?? '')).arrayBuffer())
  expect(await pdfText(pdf)).toMatch(
    /Offer.*From: Anna <a@example.org>.*prices\.csv, 3 bytes.*Clay and glaze/s,
  )
  const report = (await client.get(`/v1/conversions/${printed.jobId}/report`)).body
  expect(report).toMatchObject({ leftOut: [{ what: 'remote-pictures', count: 1 }] })

  const lines = [
    'From: a@example.org',
    'Subject: =?koi8-r?B?68zJzg==?=',
    'Content-Type: text/plain',
    '',
    'Words.',
  ]
  const sent = new Uint8Array(Buffer.from(lines.join('\r\n')))
  const md = Buffer.from(await client.convert('eml-to-md', sent)).toString()
  expect(md).toMatch(/^# Клин\n\n\*\*From:\*\* a@example\.org\n.*\nWords\.\n$/s)
})

test.each([
  ['mxf', { video: 'mpeg2video', audio: 'pcm_s16le' }],
  ['vob', { video: 'mpeg2video', audio: 'mp2' }],
  ['rm', { video: 'rv20', audio: 'ac3' }],
] as const)(`${requirement('sources.films')} %s becomes MP4`, async (from, codecs) => {
  const { width, height, seconds } = readMp4(await client.convert(`${from}-to-mp4`, film(from, codecs)))
  expect({ width, height }).toEqual({ width: 64, height: 48 })
  expect(seconds).toBeCloseTo(1, 0)
})

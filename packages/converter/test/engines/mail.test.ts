import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { png } from '@kiln/test-support/documents.ts'
import { outlookMail } from '@kiln/test-support/outlook-mail.ts'
import { pairOf } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdsSecret, openWorld, type World } from '../attacks/world.ts'

// Mails through the engines: their content is in the output, and external content is not. Parsing is tested next to
// src/sandboxed-programs/mail.

const pairs = (['pdf', 'md', 'html'] as const).flatMap((to) => [pairOf('eml', to), pairOf('msg', to)])

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const body = ({ canary, secrets }: World) =>
  [
    '<html><head><style>@import "http://127.0.0.1/x.css"; h1, p { display: none }</style>',
    `<link rel="stylesheet" href="${canary}/a.css"><base href="${canary}/"></head>`,
    `<body background="${canary}/b.gif" onload="document.body.textContent = 'run'"><div>Honest words</div>`,
    `<img src="cid:p@x"><img src="${canary}/c.gif"><img src="file://${secrets}/secret.gif">`,
    `<iframe src="file://${secrets}/secret.txt"></iframe><object data="${canary}/d"></object>`,
    `<script>fetch("${canary}/e")</script><meta http-equiv="refresh" content="0; ${canary}/f"></body></html>`,
  ].join('')

const internetMail = (html: string) =>
  [
    'From: Anna <anna@example.org>',
    'To: Bob <bob@example.org>',
    'Subject: About clay',
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; boundary=r',
    '',
    '--r',
    'Content-Type: text/html',
    '',
    html,
    '--r',
    'Content-Type: image/png',
    'Content-ID: <p@x>',
    'Content-Transfer-Encoding: base64',
    '',
    png.toString('base64'),
    '--r',
    'Content-Type: text/plain',
    'Content-Disposition: attachment; filename=a.txt',
    '',
    'attached',
    '--r--',
    '',
  ].join('\r\n')

const savedMail = (html: string) =>
  outlookMail({
    subject: 'About clay',
    sender: { name: 'Anna', address: 'anna@example.org' },
    recipients: [{ name: 'Bob', address: 'bob@example.org', type: 'to' }],
    html: Buffer.from(html),
    attachments: [
      { name: 'p.png', content: png, id: 'p@x', type: 'image/png' },
      { name: 'a.txt', content: Buffer.from('attached') },
    ],
  })

describe.each([
  ['bubblewrap', 'eml'],
  ['landlock', 'msg'],
] as const)('mails: %s', (level, from) => {
  const kiln = useTestConverter({ levels: [level], pairs, waiting: 0 })

  it(`${from} to PDF, Markdown and HTML`, async () => {
    const file = (from === 'eml' ? internetMail : savedMail)(body(world))
    const pdf = await kiln.convert(file, from, 'pdf')
    const printed = (await promisify(execFile)('pdftotext', ['-layout', pdf, '-'])).stdout
    const md = await readFile(await kiln.convert(file, from, 'md'), 'utf8')
    const html = await readFile(await kiln.convert(file, from, 'html'), 'utf8')
    for (const text of [
      printed,
      md.replaceAll('\\', ''),
      html.replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
    ]) {
      expect(text).toContain('About clay')
      expect(text).toMatch(/From:(?:\*\*|<\/strong>)? Anna <anna@example.org>/)
      expect(text).toMatch(/a\.txt, [89] bytes/)
      expect(text).toContain('Honest words')
      expect(holdsSecret(text)).toBe(false)
    }
    for (const text of [md, html]) expect(text).toContain(`data:image/png;base64,${png.toString('base64')}`)
    expect(html).not.toMatch(/<(?:script|iframe|object|link|base|meta http-equiv="refresh")\b|onload/i)
    expect(world.takeHits()).toEqual([])
  })
})

const kiln = useTestConverter()

describe('e-mails of mail programs', () => {
  const mail = (type: string, body: string) =>
    `From: a@example.org\r\nSubject: About clay\r\nContent-Type: ${type}\r\n\r\n${body}`

  it('headers and body are on one page of one size, whatever pages Outlook names', async () => {
    const style = '@page WordSection1 {size:8.5in 11.0in; margin:1in} div.WordSection1 {page:WordSection1}'
    const page = `<html><head><style>${style}</style></head><body><div class=WordSection1>Words.</div></body></html>`
    const pdf = await kiln.convert(mail('text/html', page), 'eml', 'pdf')
    const { stdout } = await promisify(execFile)('pdfinfo', [pdf])
    expect(stdout).toMatch(/Pages:\s+1\n/)
    expect(stdout).toMatch(/Page size:.*A4/)
  })

  it('plain text stays plain in Markdown', async () => {
    const text = 'Dear Bob\r\n-----\r\n1. one\r\n- two\r\n====\r\nAnna'
    const md = await readFile(await kiln.convert(mail('text/plain', text), 'eml', 'md'), 'utf8')
    for (const line of ['\\-----', '1\\. one', '\\- two', '\\====']) expect(md).toContain(line)
  })

  it('RTF that encapsulates nothing, by pandoc in the sandbox', async () => {
    const file = outlookMail({ subject: 'x', rtf: '{\\rtf1\\ansi own {\\b words}}' })
    expect(await readFile(await kiln.convert(file, 'msg', 'md'), 'utf8')).toContain('own **words**')
  })

  it('an encrypted message is reported as such', async () => {
    const encrypted = Buffer.from('300f06092a864886f70d010703a0023000', 'hex').toString('base64')
    const headers = 'application/pkcs7-mime; name=smime.p7m\r\nContent-Transfer-Encoding: base64'
    expect(await kiln.failure(mail(headers, encrypted), 'eml', 'pdf')).toMatch(
      /^unsupported: The message is encrypted/,
    )
  })
})

describe('e-mails with NUL characters', () => {
  it('are converted without them', async () => {
    const mail = internetMail('<p>Honest\0 words</p>').replace('About clay', 'About\0 clay')
    const output = await readFile(await kiln.convert(mail, 'eml', 'html'), 'utf8')
    expect(output).toContain('Honest words')
    expect(output).not.toContain('\0')
  })
})

describe('mails with few headers or another name', () => {
  it.each([
    ['eml', 'Content-Type: text/html\n\n<p>Honest words</p>\n'],
    ['eml', 'Subject: x\r\n\r\nHonest words\r\n'],
    ['msg', 'From: a@example.org\nSubject: x\n\nHonest words\n'],
  ] as const)('%s %j is converted', async (from, mail) => {
    expect(await readFile(await kiln.convert(mail, from, 'md'), 'utf8')).toContain('Honest words')
  })
})

describe('mails that are refused', () => {
  it('a text that is no mail, a container that contradicts itself, parts within parts', async () => {
    expect(await kiln.failure('Dear Anna,\n\nall is well.\n', 'eml', 'md')).toMatch(
      /^wrong-format: .*not an EML file/,
    )
    const lying = savedMail('<p>x</p>')
    // The storage of the first recipient is its own neighbour.
    const at = lying.indexOf(Buffer.from('__recip_version1.0_#00000000', 'utf16le'))
    lying.writeUInt32LE(Math.floor((at - lying.indexOf(Buffer.from('Root Entry', 'utf16le'))) / 128), at + 72)
    expect(await kiln.failure(lying, 'msg', 'md')).toMatch(/^corrupt-input: .*contradicts itself/)
    const parts = Array.from(
      { length: 10_000 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`,
    )
    const deep = `From: a@example.org\nSubject: x\n${parts.join('')}`
    expect(await kiln.failure(deep, 'eml', 'md')).toMatch(/^too-complex: .*nested parts/)
  })
})

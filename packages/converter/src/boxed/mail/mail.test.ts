import { type OutlookMail, outlookMail } from '@kiln/test-support/outlook-mail.ts'
import { describe, expect, it } from 'vitest'
import { mailPage } from './mail-page.ts'
import { readEml } from './read-eml.ts'
import { readMsg } from './read-msg.ts'

const eml = async (...lines: string[]) =>
  mailPage(await readEml(Buffer.from(lines.join('\r\n'), 'latin1')), true)
const msg = (mail: OutlookMail) => mailPage(readMsg(outlookMail(mail)), true)

const nested = (depth: number): string[] =>
  Array.from({ length: depth }, (_, i) => [
    `Content-Type: multipart/mixed; boundary=b${i}`,
    '',
    `--b${i}`,
  ]).flat()

describe('internet mail', () => {
  it('decodes heads and bodies by their charset', async () => {
    const page = await eml(
      'From: =?windows-1251?B?wO3t4A==?= <anna@example.org>',
      'To: a@example.org,',
      ' =?koi8-r?Q?=E2=CF=C2?= <b@example.org>',
      'Subject: =?iso-2022-jp?B?GyRCRnxLXBsoQg==?= =?utf-8?Q?_=E2=82=AC?=',
      'Content-Type: text/plain; charset=gb18030',
      'Content-Transfer-Encoding: base64',
      '',
      'xPq6ww==',
    )
    expect(page).toContain('<b>From:</b> Анна &lt;anna@example.org&gt;')
    expect(page).toContain('<b>To:</b> a@example.org, Боб &lt;b@example.org&gt;')
    expect(page).toMatch(/<h1[^>]*>日本 €<\/h1>/)
    expect(page).toContain('您好')
  })

  it('shows the better part, pictures in their places, and lists the rest', async () => {
    const page = await eml(
      'Subject: x',
      'Content-Type: multipart/mixed; boundary=m',
      '',
      '--m',
      'Content-Type: multipart/alternative; boundary=a',
      '',
      '--a',
      'Content-Type: text/plain',
      '',
      'the worse part',
      '--a',
      'Content-Type: multipart/related; boundary=r',
      '',
      '--r',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<title>t</title><p>the better =C3=BC</p><img src=3D"cid:p%40x"><img src=3D"cid:none">',
      '--r',
      'Content-Type: image/png',
      'Content-ID: <p@x>',
      '',
      'PNG',
      '--r--',
      '--a--',
      '--m',
      'Content-Type: application/octet-stream',
      "Content-Disposition: attachment; filename*=utf-8''%C3%9Cber%3Cb%3E.pdf",
      '',
      '12345',
      '--m--',
      '',
    )
    expect(page).not.toContain('the worse part')
    expect(page).toContain('<p>the better ü</p><img src="data:image/png;base64,')
    expect(page).toContain('<img src="cid:none">')
    expect(page).toMatch(/<ul[^>]*><li>Über&lt;b&gt;.pdf, \d bytes<\/li><\/ul>/)
    expect(page).toContain('<title>x</title>')
    expect(page).not.toContain('<title>t</title>')
  })

  it.each([
    ['ten thousand parts within parts', nested(10_000)],
    ['a head of ten megabytes', [`Subject: ${'x'.repeat(10_000_000)}`, '', 'text']],
  ])('%s are too complex', async (_, lines) => {
    await expect(eml('From: a@example.org', ...lines)).rejects.toMatchObject({ word: 'too-complex' })
  })

  it.each(['<title ', '<title>', '<body ', '"cid:', '<!doctype '])(
    'markup that never ends costs no more than its length: %s',
    async (piece) => {
      const started = performance.now()
      await eml('Subject: x', 'Content-Type: text/html', '', piece.repeat(100_000))
      expect(performance.now() - started).toBeLessThan(5_000)
    },
  )

  it('a picture that is shown ten thousand times makes no page of gigabytes', async () => {
    const shown = '<img src="cid:p">'.repeat(10_000)
    const related = ['--r', 'Content-Type: text/html', '', shown, '--r', 'Content-Type: image/png']
    const picture = ['Content-ID: <p>', '', 'x'.repeat(100_000), '--r--', '']
    const heads = ['Subject: x', 'Content-Type: multipart/related; boundary=r', '']
    await expect(eml(...heads, ...related, ...picture)).rejects.toMatchObject({ word: 'too-complex' })
  })
})

describe('mail of Outlook', () => {
  const base: OutlookMail = {
    subject: 'Grüße',
    sender: { name: 'Анна', address: 'anna@example.org' },
    recipients: [
      { name: 'Bob', address: 'bob@example.org', type: 'to' },
      { name: 'Carol', address: '/O=ORG/CN=CAROL', type: 'cc' },
    ],
    text: 'the plain text',
    attachments: [
      { name: 'p.png', content: Buffer.from('PNG'), id: 'p@x', type: 'image/png' },
      { name: 'large.bin', content: Buffer.alloc(70_000) },
    ],
  }

  it('knows no type for names that every object has', () => {
    const names = ['a.constructor', 'a.toString', 'a.__proto__', 'a.png']
    const attachments = names.map((name) => ({ name, content: Buffer.from('x') }))
    const { attachments: read } = readMsg(outlookMail({ ...base, attachments }))
    const unknown = 'application/octet-stream'
    expect(read.map(({ type }) => type)).toEqual([unknown, unknown, unknown, 'image/png'])
  })

  it('heads, its page, pictures and attachments', () => {
    const html = Buffer.from('<html><body><p>the page ü</p><img src="cid:p@x"></body></html>')
    const page = msg({ ...base, html, codePage: 65001 })
    expect(page).toContain(
      '<b>From:</b> Анна &lt;anna@example.org&gt;<br><b>To:</b> Bob &lt;bob@example.org&gt;',
    )
    expect(page).toContain('<b>Cc:</b> Carol<br><b>Date:</b> Mon, 16 Nov 2026 09:00:00 GMT')
    expect(page).toContain('<p>the page ü</p><img src="data:image/png;base64,UE5H">')
    expect(page).toMatch(/<ul[^>]*><li>large.bin, 70 kB<\/li><\/ul>/)
    expect(page).not.toContain('the plain text')
  })

  it('a page within compressed RTF, else the plain text', () => {
    const font = '{\\fonttbl{\\f0\\fswiss\\fcharset204 Arial;}}'
    const wrapped = `{\\rtf1\\ansi\\ansicpg1251\\fromhtml1 \\deff0${font}{\\*\\htmltag64 <p>}\\'cf\\'f0\\'e8{\\*\\htmltag72 </p>}}`
    expect(msg({ ...base, rtf: wrapped })).toContain('<p>При</p>')
    expect(msg({ ...base, rtf: '{\\rtf1 own words}' })).toContain('the plain text')
    expect(msg({ ...base, rtf: 'no RTF' })).toContain('the plain text')
  })

  it('texts of a code page', () => {
    const encode = (text: string) =>
      Buffer.from(
        [...text].map((letter) => (letter >= 'А' ? letter.charCodeAt(0) - 0x350 : letter.charCodeAt(0))),
      )
    expect(msg({ subject: 'Привет', text: 'мир', codePage: 1251, encode })).toMatch(/>Привет<.*>мир</s)
  })

  it('whatever is written over it, it is read or refused, and never goes round in circles', () => {
    const file = outlookMail({ ...base, html: Buffer.from('<p>x</p>') })
    let seed = 5
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let round = 0; round < 300; round += 1) {
      const broken = Buffer.from(file)
      for (let at = 0; at < 4; at += 1) {
        const lies = [0xffffffff, 0xfffffffe, 0x7fffffff, 0, random(200)]
        broken.writeUInt32LE(lies[random(lies.length)] as number, random(file.length / 4) * 4)
      }
      try {
        mailPage(readMsg(broken), false)
      } catch (error) {
        expect(error).toMatchObject({ word: 'corrupt-input' })
      }
    }
  })
})

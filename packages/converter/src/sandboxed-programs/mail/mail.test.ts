import { type OutlookMail, outlookMail } from '@kiln/test-support/outlook-mail.ts'
import { describe, expect, it } from 'vitest'
import type { Mail } from './mail.ts'
import { mailPage } from './mail-page.ts'
import { readEml } from './read-eml.ts'
import { readMsg } from './read-msg.ts'

const options = { hasTitle: true, appendsAttachments: false }
const page = async (mail: Mail) => (await mailPage([mail], options)).html
const eml = async (...lines: string[]) => page(await readEml(Buffer.from(lines.join('\r\n'), 'latin1')))
const msg = async (mail: OutlookMail) => page(await readMsg(outlookMail(mail)))

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
    ['blanks', ['  ', 'the text', 'of the mail']],
    ['nothing', ['the text', 'of the mail']],
    ['a broken header and an empty line', ['broken', 'To: b@example.org', '', 'the text', 'of the mail']],
  ])('begins after headers that end with %s', async (_, lines) => {
    const page = await eml('Subject: x', 'From: a@example.org', ...lines)
    expect(page).toMatch(/the text\s*<br>\s*of the mail/)
    expect(page).not.toContain('broken')
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
      const before = process.threadCpuUsage()
      await eml('Subject: x', 'Content-Type: text/html', '', piece.repeat(100_000))
      const { user, system } = process.threadCpuUsage(before)
      expect((user + system) / 1000).toBeLessThan(5_000)
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

  it('knows no type for names that every object has', async () => {
    const names = ['a.constructor', 'a.toString', 'a.__proto__', 'a.png']
    const attachments = names.map((name) => ({ name, content: Buffer.from('x') }))
    const { attachments: read } = await readMsg(outlookMail({ ...base, attachments }))
    const unknown = 'application/octet-stream'
    expect(read.map(({ type }) => type)).toEqual([unknown, unknown, unknown, 'image/png'])
  })

  it('headers, its page, pictures and attachments', async () => {
    const html = Buffer.from('<html><body><p>the page ü</p><img src="cid:p@x"></body></html>')
    const page = await msg({ ...base, html, codePage: 65001 })
    expect(page).toContain(
      '<b>From:</b> Анна &lt;anna@example.org&gt;<br><b>To:</b> Bob &lt;bob@example.org&gt;',
    )
    expect(page).toContain('<b>Cc:</b> Carol<br><b>Date:</b> Mon, 16 Nov 2026 09:00:00 GMT')
    expect(page).toContain('<p>the page ü</p><img src="data:image/png;base64,UE5H">')
    expect(page).toMatch(/<ul[^>]*><li>large.bin, 70 kB<\/li><\/ul>/)
    expect(page).not.toContain('the plain text')
  })

  it('a page encapsulated in compressed RTF, else the plain text', async () => {
    const font = '{\\fonttbl{\\f0\\fswiss\\fcharset204 Arial;}}'
    const wrapped = `{\\rtf1\\ansi\\ansicpg1251\\fromhtml1 \\deff0${font}{\\*\\htmltag64 <p>}\\'cf\\'f0\\'e8{\\*\\htmltag72 </p>}}`
    expect(await msg({ ...base, rtf: wrapped })).toContain('<p>При</p>')
    expect(await msg({ ...base, rtf: '{\\rtf1\\ansi own {\\b words}}' })).toContain(
      'own <strong>words</strong>',
    )
    expect(await msg({ ...base, rtf: 'no RTF' })).toContain('the plain text')
  })

  it('texts of a code page', async () => {
    const encode = (text: string) =>
      Buffer.from(
        [...text].map((letter) => (letter >= 'А' ? letter.charCodeAt(0) - 0x350 : letter.charCodeAt(0))),
      )
    expect(await msg({ subject: 'Привет', text: 'мир', codePage: 1251, encode })).toMatch(/>Привет<.*>мир</s)
  })

  it('whatever is written over it, it is read or refused, and reading it ends', async () => {
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
        await page(await readMsg(broken))
      } catch (error) {
        expect(error).toMatchObject({ word: 'corrupt-input' })
      }
    }
  })

  it('texts that are not in the code page that the item names', async () => {
    const encode = (text: string) => Buffer.from(text, 'latin1')
    const page = await msg({ subject: 'Grüße', text: 'Über', codePage: 65001, encode })
    expect(page).toMatch(/>Grüße<.*Über/s)
    const html = Buffer.from('<meta charset="shift_jis"><p>Grüße</p>')
    expect(await msg({ ...base, html, codePage: 1251 })).toContain('<p>Grüße</p>')
  })
})

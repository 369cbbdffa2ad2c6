import { describe, expect, it } from 'vitest'
import type { Mail } from './mail.ts'
import { mailPage } from './mail-page.ts'
import { splitMailbox } from './mailbox.ts'
import { readEml } from './read-eml.ts'
import { readMessages } from './read-mail.ts'

// Messages inside other containers, and messages that refer to their parts in other ways than by Content-ID.

const read = (...lines: string[]) => readEml(Buffer.from(lines.join('\r\n'), 'latin1'))
const page = async (mail: Mail, appendsAttachments = false) =>
  mailPage([mail], { hasTitle: false, appendsAttachments })

describe('pictures', () => {
  const related = (reference: string, header: string) =>
    read(
      'Subject: x',
      'Content-Type: multipart/related; boundary=r',
      '',
      '--r',
      'Content-Type: text/html',
      'Content-Location: https://example.org/page.html',
      '',
      `<img src="${reference}">`,
      '--r',
      'Content-Type: image/png; name="p 1.png"',
      header,
      '',
      'PNG',
      '--r--',
      '',
    )
  it.each([
    [
      'an address',
      'https://example.org/a/p.png?x=1&amp;y=2',
      'Content-Location: https://example.org/a/p.png?x=1&y=2',
    ],
    ['a path', 'p.png', 'Content-Location: p.png'],
    ['a relative path to an address', 'a/p.png', 'Content-Location: https://example.org/a/p.png'],
    ['a file name', 'p%201.png', 'Content-Disposition: inline'],
    ['Content-ID, whatever the case', 'CID:p', 'Content-ID: <p>'],
  ])('by %s', async (_, reference, header) => {
    const { html } = await page(await related(reference, header))
    expect(html).toContain('<img src="data:image/png;base64,UE5H')
    expect(html).not.toContain('<li>')
  })

  it('not a picture on the web that has the name of an attachment', async () => {
    const address = 'https://other.example/p%201.png'
    const { html } = await page(await related(address, 'Content-Disposition: inline'))
    expect(html).toContain(`src="${address}"`)
  })
})

describe('bytes beyond ASCII without a charset', () => {
  it.each([
    ['UTF-8', Buffer.from('Subject: Grüße aus Köln\r\n\r\nDas schöne Wetter hält an.')],
    ['Latin-1', Buffer.from('Subject: Grüße aus Köln\r\n\r\nDas schöne Wetter hält an.', 'latin1')],
  ])('%s', async (_, message) => {
    const mail = await readEml(message)
    expect(mail.subject).toBe('Grüße aus Köln')
    expect(mail.body).toEqual({ text: expect.stringContaining('Das schöne Wetter hält an.') })
  })

  it('Cyrillic in headers, by the charset of the body', async () => {
    const koi8 = Buffer.from('f0d2c9d7c5d4', 'hex').toString('latin1')
    const mail = await read(`Subject: ${koi8}`, 'Content-Type: text/plain; charset=koi8-r', '', koi8)
    expect(mail.subject).toBe('Привет')
    expect(mail.body).toEqual({ text: expect.stringContaining('Привет') })
  })
})

describe('a mailbox', () => {
  const box = 'From a@b Mon\nSubject: one\n\nFirst\n>From here\n\nFrom c@d Tue\nSubject: two\n\nSecond\n'
  it.each([box, box.replaceAll('\n', '\r\n')])('has all of its messages', async (file) => {
    const mails = await Promise.all(splitMailbox(Buffer.from(file)).map((each) => readEml(each)))
    expect(mails.map(({ subject }) => subject)).toEqual(['one', 'two'])
    expect(mails[0]?.body).toEqual({ text: expect.stringMatching(/^First\r?\nFrom here/) })
    const { html } = await mailPage(mails, { hasTitle: true, appendsAttachments: false })
    expect(html).toMatch(/one[\s\S]*First[\s\S]*two[\s\S]*Second/)
  })

  it('shows the headers of an encrypted message among others', async () => {
    const sealed =
      'Subject: sealed\nContent-Type: multipart/encrypted; boundary=b\n\n--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b--\n'
    const messages = ['Subject: open\n\nWords.\n', sealed].map((each) => Buffer.from(each))
    const { mails, unread } = await readMessages(messages)
    expect(unread).toBe(1)
    expect(mails).toMatchObject([
      { subject: 'open', body: { text: expect.stringContaining('Words.') } },
      { subject: 'sealed', body: { text: expect.stringContaining('encrypted') } },
    ])
    await expect(readMessages(messages.slice(1))).rejects.toMatchObject({ word: 'unsupported' })
  })

  it('of one message is that message, and a message that quotes an envelope is one', () => {
    expect(splitMailbox(Buffer.from('From a@b Mon\nSubject: x\n\ntext'))).toHaveLength(1)
    expect(splitMailbox(Buffer.from('Subject: x\n\n\nFrom the start\n'))).toHaveLength(1)
  })
})

const der = (tag: number, ...contents: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 255]), content])
}
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const signedOid = '2a864886f70d010702'
const smime = (cms: Buffer, type: string) =>
  read(
    'Subject: sealed',
    `Content-Type: application/pkcs7-mime; smime-type=${type}; name="smime.p7m"`,
    'Content-Transfer-Encoding: base64',
    '',
    cms.toString('base64'),
  )

describe('S/MIME', () => {
  const inner = Buffer.from('Content-Type: text/plain; charset=utf-8\r\n\r\nThe signed words.')
  const dataOid = oid('2a864886f70d010701')

  it('shows what was signed', async () => {
    const content = der(0x30, dataOid, der(0xa0, der(0x04, inner)))
    const signed = der(0x30, der(0x02, Buffer.from([1])), der(0x31), content, der(0x31))
    const mail = await smime(der(0x30, oid(signedOid), der(0xa0, signed)), 'signed-data')
    expect(mail.subject).toBe('sealed')
    expect(mail.body).toEqual({ text: expect.stringContaining('The signed words.') })
    expect(mail.attachments).toEqual([])
  })

  it('of indefinite length, in pieces', async () => {
    const open = (tag: number, ...contents: readonly Buffer[]) =>
      Buffer.concat([Buffer.from([tag, 0x80]), ...contents, Buffer.alloc(2)])
    const pieces = open(0x24, der(0x04, inner.subarray(0, 20)), der(0x04, inner.subarray(20)))
    const content = open(0x30, dataOid, open(0xa0, pieces))
    const signed = open(0x30, der(0x02, Buffer.from([1])), der(0x31), content, der(0x31))
    const mail = await smime(open(0x30, oid(signedOid), open(0xa0, signed)), 'signed-data')
    expect(mail.body).toEqual({ text: expect.stringContaining('The signed words.') })
  })

  it('reports what was encrypted, and what is damaged', async () => {
    const encrypted = der(0x30, oid('2a864886f70d010703'), der(0xa0, der(0x30)))
    await expect(smime(encrypted, 'enveloped-data')).rejects.toMatchObject({
      word: 'unsupported',
      message: expect.stringMatching(/^The message is encrypted,/),
    })
    await expect(smime(Buffer.from('3082ffff06', 'hex'), 'signed-data')).rejects.toMatchObject({
      word: 'corrupt-input',
    })
  })

  it('keeps the text of a message whose signature is a part beside it', async () => {
    const mail = await read(
      'Subject: x',
      'Content-Type: multipart/signed; protocol="application/pkcs7-signature"; boundary=s',
      '',
      '--s',
      'Content-Type: text/plain',
      '',
      'Readable.',
      '--s',
      'Content-Type: application/pkcs7-signature; name=smime.p7s',
      '',
      'x',
      '--s--',
    )
    expect(mail.body).toEqual({ text: expect.stringContaining('Readable.') })
  })
})

const attribute = (level: number, id: number, data: Buffer): Buffer => {
  const head = Buffer.alloc(9)
  head.writeUInt8(level, 0)
  head.writeUInt16LE(id, 1)
  head.writeUInt32LE(data.length, 5)
  return Buffer.concat([head, data, Buffer.alloc(2)])
}
const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const property = (id: number, type: number, value: Buffer) => {
  const tag = number(((id << 16) | type) >>> 0)
  return Buffer.concat([
    tag,
    number(1),
    number(value.length),
    value,
    Buffer.alloc((4 - (value.length % 4)) % 4),
  ])
}

describe('winmail.dat', () => {
  const tnef = Buffer.concat([
    number(0x223e9f78),
    Buffer.alloc(2),
    attribute(1, 0x9007, Buffer.concat([number(1251), number(0)])),
    attribute(
      1,
      0x9003,
      Buffer.concat([
        number(2),
        Buffer.concat([number(0x00170003), number(1)]),
        property(0x1013, 0x102, Buffer.from('<p>\xcf\xf0\xe8</p>', 'latin1')),
      ]),
    ),
    attribute(2, 0x9002, Buffer.alloc(14)),
    attribute(2, 0x8010, Buffer.from('SHORT.TXT\0')),
    attribute(2, 0x800f, Buffer.from('attached words')),
    attribute(
      2,
      0x9005,
      Buffer.concat([number(1), property(0x3707, 0x1f, Buffer.from('long name.txt\0', 'utf16le'))]),
    ),
  ])
  const message = (content: Buffer) =>
    read(
      'Subject: x',
      'Content-Type: application/ms-tnef; name=winmail.dat',
      'Content-Transfer-Encoding: base64',
      '',
      content.toString('base64'),
    )

  it('gives its body and its attachments', async () => {
    const mail = await message(tnef)
    expect(mail.body).toEqual({ html: '<p>При</p>' })
    expect(mail.attachments).toMatchObject([{ name: 'long name.txt' }])
    const { html, unappended } = await page(mail, true)
    expect(html).toContain('attached words')
    expect(unappended).toBe(0)
  })

  it('has a text beside it that is not lost', async () => {
    const beside = (text: string) =>
      read(
        'Content-Type: multipart/mixed; boundary=m',
        '',
        '--m',
        'Content-Type: text/plain',
        '',
        text,
        '--m',
        'Content-Type: application/ms-tnef',
        'Content-Transfer-Encoding: base64',
        '',
        tnef.toString('base64'),
        '--m--',
      )
    expect((await beside('footer of the list')).body).toEqual({
      html: expect.stringMatching(/footer of the list[\s\S]*<p>При<\/p>/),
    })
    expect((await beside('При')).body).toEqual({ html: '<p>При</p>' })
  })

  it('that is damaged is an attachment like any other, or read as far as it goes', async () => {
    for (let length = 7; length < tnef.length; length += 5) {
      await expect(message(tnef.subarray(0, length)), `${length} bytes`).resolves.toMatchObject({
        subject: 'x',
      })
    }
  })
})

it('appends pictures, texts and mails, and counts the others', async () => {
  const part = (type: string, name: string, content: string) => [
    '--m',
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    '',
    content,
  ]
  const mail = await read(
    'Subject: x',
    'Content-Type: multipart/mixed; boundary=m',
    '',
    '--m',
    'Content-Type: text/plain',
    '',
    'Words.',
    ...part('image/png', 'p.png', 'PNG'),
    ...part('text/csv', 't.csv', 'a,Gr\xfc\xdfe aus K\xf6ln,c'),
    ...part(
      'application/octet-stream',
      'inner.eml',
      'Subject: inner\r\nFrom: a@example.org\r\n\r\nInner words.',
    ),
    ...part('text/html', 'menu.html', '<p title="a > b">Caf&eacute; &lt;</p><p>Two</p>\r\n<br>words'),
    ...part('application/pdf', 'd.pdf', '%PDF-'),
    '--m--',
  )
  const { html, unappended } = await page(mail, true)
  expect(html).toContain('<h2>p.png</h2><p><img src="data:image/png')
  expect(html).toContain('a,Grüße aus Köln,c')
  expect(html).toMatch(/Subject: inner[\s\S]*Inner words\./)
  expect(html).toMatch(/>Caf&eacute; &lt;<\/p>\n<p[^<>]*>Two<\/p>\n<p[^<>]*>words<\/p>/)
  expect(html).not.toContain('<h2>d.pdf</h2>')
  expect(unappended).toBe(1)
})

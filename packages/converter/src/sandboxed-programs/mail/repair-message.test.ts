import { expect, test } from 'vitest'
import { readEml } from './read-eml.ts'

// Messages whose Content-Type contradicts what is in them: a reader that obeys it shows nothing.

const read = (type: string, ...body: string[]) =>
  readEml(
    Buffer.from([`From: a@example.org, b@example.org`, `Content-Type: ${type}`, '', ...body].join('\r\n')),
  )

test.each(['text', 'text; charset=us-ascii', '', 'text/enriched', 'text/x-log; name=a.log'])(
  'the type "%s" is plain text',
  async (type) => {
    const { body, attachments, headers } = await read(type, 'The words.')
    expect(body).toEqual({ text: expect.stringContaining('The words.') })
    expect(attachments).toEqual([])
    expect(headers[0]).toEqual(['From', 'a@example.org, b@example.org'])
  },
)

const parts = [
  '--used',
  'Content-Type: text/plain',
  '',
  'One.',
  '--used',
  'Content-Type: text/html',
  '',
  '<p>Two.',
  '--used--',
]

test.each([
  'multipart/alternative; boundary="declared"',
  'multipart/alternative',
  'multipart/alternative; boundary="use"',
])('the parts of %s are found', async (type) => {
  expect((await read(type, 'For old programs', ...parts)).body).toEqual({
    html: expect.stringContaining('<p>Two.'),
  })
})

test('without any boundary, all is text', async () => {
  const { body } = await read('multipart/mixed; boundary=b', 'The words.', '-- ', 'A signature')
  expect(body).toEqual({ text: expect.stringMatching(/The words[\s\S]*A signature/) })
})

test('other types stay what they are', async () => {
  expect((await read('application/pdf; name=a.pdf', '%PDF')).attachments).toMatchObject([{ name: 'a.pdf' }])
  expect((await read('text/csv\r\nContent-Disposition: attachment', 'a,b')).attachments).toHaveLength(1)
  expect((await read('text/html', '<p>x')).body).toEqual({ html: expect.stringContaining('<p>x') })
})

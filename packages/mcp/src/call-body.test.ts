import { expect, test } from 'vitest'
import { openBody } from './call-body.ts'

const mebibyte = 1024 * 1024

const call = (args: object) =>
  Buffer.from(JSON.stringify({ method: 'tools/call', params: { arguments: args } }))

test('a document of any size is taken out of the call', () => {
  const text = '"\\\n'.repeat(mebibyte)
  expect(openBody(call({ from: 'md', text }))).toEqual({
    message: { method: 'tools/call', params: { arguments: { from: 'md', text: '' } } },
    document: { bytes: new TextEncoder().encode(text) },
  })
})

test('base64 may have line breaks, and its padding too', () => {
  const base64 = `data:text/plain;base64,${'QUJD\r\n'.repeat(10_000)}QQ=\n=\n`
  expect(openBody(call({ base64 }))).toMatchObject({
    document: { bytes: Buffer.from(`${'ABC'.repeat(10_000)}A`) },
  })
  for (const wrong of ['QUJD!', 'QQ=Q', 'QQ==='])
    expect(openBody(call({ base64: wrong + 'QUJD'.repeat(10_000) }))).toMatchObject({
      document: { fault: expect.stringContaining('not base64') },
    })
})

test('anything else that is long is refused without being parsed', () => {
  const bodies = [
    `[${'{},'.repeat(mebibyte)}{}]`,
    '['.repeat(mebibyte),
    '"'.repeat(mebibyte),
    `["${'a'.repeat(mebibyte)}","${'a'.repeat(mebibyte)}"]`,
    JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key ${index}`, 'a']))),
    `{"name":"${'a'.repeat(mebibyte)}"}`,
  ]
  for (const body of bodies) expect(openBody(Buffer.from(body))).toEqual({ fault: 'too-large' })
  expect(openBody(Buffer.from(`"${'a'.repeat(mebibyte)}`))).toEqual({ fault: 'not-json' })
})

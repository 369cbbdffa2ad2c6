import { expect, test } from 'vitest'
import { makeKey } from '../accounts/api-key.ts'
import { hideSecrets } from './log.ts'

test('keys, tokens and signatures are cut out of a line, wherever they stand', () => {
  const key = makeKey()
  const line = JSON.stringify({
    msg: `call with ${key} failed, webhook with whsec_c2VjcmV0IHRleHQ=`,
    err: {
      message: 'GET http://h/files/in/x?bytes=1&expires=2&signature=AbC-_123 gave 403',
      stack: 'https://bucket/x?X-Amz-Credential=AKIA%2F2026&X-Amz-Signature=0123abcd&X-Amz-Expires=9',
    },
    headers: { authorization: 'Bearer abc.def', cookie: 'kiln_console=qwertz; other=1' },
    url: 'postgres://kiln:hunter2@db.example/kiln',
  })
  const clean = hideSecrets(line)
  for (const secret of [
    key,
    'c2VjcmV0IHRleHQ',
    'AbC-_123',
    'AKIA',
    '0123abcd',
    'abc.def',
    'qwertz',
    'hunter2',
  ]) {
    expect(clean).not.toContain(secret)
  }
  expect(() => JSON.parse(clean)).not.toThrow()
  expect(clean).toContain('expires=2')
  expect(clean).toContain('X-Amz-Expires=9')
})

test('an ordinary line stays as it is', () => {
  const line = '{"level":30,"requestId":"x","jobId":"y","path":"/files/in/y","msg":"request"}\n'
  expect(hideSecrets(line)).toBe(line)
})

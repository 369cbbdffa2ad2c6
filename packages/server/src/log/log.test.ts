import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeKey } from '../accounts/api-key.ts'
import { createLogDestination, hideSecrets } from './log.ts'

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

test('lines arrive whole and in order', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-log-'))
  const path = join(folder, 'log')
  const descriptor = openSync(path, 'w')
  const destination = createLogDestination(descriptor)
  const lines = ['first\n', `${'ü'.repeat(100_000)}\n`, 'last\n']
  for (const line of lines) destination.write(line)
  closeSync(descriptor)
  expect(readFileSync(path, 'utf8')).toBe(lines.join(''))
  rmSync(folder, { recursive: true })
})

test('a reader that is gone, or a disk that is full, neither throws nor holds up', () => {
  const full = openSync('/dev/full', 'w')
  const destination = createLogDestination(full)
  const began = performance.now()
  for (let n = 0; n < 1000; n++) destination.write('lost\n')
  expect(performance.now() - began).toBeLessThan(500)
  closeSync(full)
})

import { errorCodes, statusOfCode } from '@kiln/contract'
import { expect, test } from 'vitest'
import { refused, unavailable } from '../errors.ts'
import { rawErrorAnswer, toAnswer } from './errors.ts'

test('every code has its status, and the body holds error and code alone', () => {
  for (const code of errorCodes) {
    const answer = toAnswer(refused(code, 'Because.'))
    expect(answer.status).toBe(statusOfCode[code])
    expect(answer.body).toEqual({ error: 'Because.', code })
  }
})

test('an unknown error reveals nothing', () => {
  const answer = toAnswer(new Error('password of the database is hunter2'))
  expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } })
  expect(JSON.stringify(answer)).not.toContain('hunter2')
})

test('what is away is 503 with Retry-After', () => {
  const answer = toAnswer(unavailable('Full.'))
  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(answer.headers['retry-after']).toMatch(/^\d+$/)
})

test('a client that broke off and a file that is missing are no database that is away', () => {
  for (const code of ['ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT']) {
    const error = Object.assign(new Error(code), { code })
    expect(toAnswer(error), code).toMatchObject({ status: 500, body: { code: 'internal' } })
  }
})

test('what never became a request gets the same body', () => {
  const [head = '', body = ''] = rawErrorAnswer('HPE_HEADER_OVERFLOW', 'some-id').split('\r\n\r\n')
  expect(head.split('\r\n')[0]).toBe('HTTP/1.1 431 Request Header Fields Too Large')
  expect(head).toContain('request-id: some-id')
  expect(JSON.parse(body)).toEqual({ error: expect.any(String), code: 'headers-too-large' })
})

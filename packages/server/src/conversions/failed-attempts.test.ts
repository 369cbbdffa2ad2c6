import { ConversionFailed } from '@kiln/converter'
import { describe, expect, test } from 'vitest'
import { databaseUnavailable } from '../db/connection-errors.ts'
import { unavailable } from '../errors.ts'
import { isOutage } from './failed-attempts.ts'

const withCode = (code: string) => Object.assign(new Error(code), { code })

describe('what is not the job’s fault', () => {
  test.each([
    unavailable('The service cannot reach its storage just now.'),
    withCode('ENOSPC'),
    withCode('EDQUOT'),
    databaseUnavailable(withCode('57P01')),
  ])('%s', (error) => expect(isOutage(error)).toBe(true))
})

describe('what counts as an attempt', () => {
  test.each([
    new ConversionFailed('internal', 'broken'),
    new ConversionFailed('too-complex', 'too much'),
    new Error('disk on fire'),
    new TypeError('x is not a function'),
    withCode('23505'),
    Object.assign(withCode('ENOENT'), { syscall: 'link', path: '/files/in/x' }),
    Object.assign(withCode('EPIPE'), { syscall: 'write' }),
    withCode('ECONNRESET'),
    'a string',
    undefined,
  ])('%s', (error) => expect(isOutage(error)).toBe(false))
})

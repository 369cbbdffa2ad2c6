import { failed } from '@kiln/converter'
import { describe, expect, test } from 'vitest'
import { unavailable } from '../errors.ts'
import { isFaultOfSurroundings } from './surroundings.ts'

const withCode = (code: string) => Object.assign(new Error(code), { code })

describe('what is not the job’s fault', () => {
  test.each([
    unavailable('The service cannot reach its storage just now.'),
    withCode('ENOSPC'),
    withCode('EDQUOT'),
    Object.assign(withCode('ECONNREFUSED'), { syscall: 'connect' }),
    Object.assign(withCode('ENOENT'), { syscall: 'connect' }),
    withCode('57P01'),
    new Error('Connection terminated unexpectedly'),
  ])('%s', (error) => expect(isFaultOfSurroundings(error)).toBe(true))
})

describe('what counts as an attempt', () => {
  test.each([
    failed.internal('broken'),
    failed.tooComplex('too much'),
    new Error('disk on fire'),
    new TypeError('x is not a function'),
    withCode('23505'),
    Object.assign(withCode('ENOENT'), { syscall: 'link', path: '/files/in/x' }),
    Object.assign(withCode('EPIPE'), { syscall: 'write' }),
    'a string',
    undefined,
  ])('%s', (error) => expect(isFaultOfSurroundings(error)).toBe(false))
})

import { expect, it } from 'vitest'
import { encode } from './prepared-program.ts'

it('ends every argument with a zero byte and names paths by their number', () => {
  expect(encode(['-v', 'error', '', '/in/a', '-o', '/out/b'], ['/in/a', '/out/b'])).toBe(
    '-v\0error\0\0\x011\0-o\0\x012\0',
  )
})

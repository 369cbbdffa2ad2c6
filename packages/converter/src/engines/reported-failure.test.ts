import { expect, it } from 'vitest'
import { reportedFailure } from './reported-failure.ts'

const read = (failure: unknown) =>
  reportedFailure(`${JSON.stringify({ failure, sentence: 'It is too long.' })}\n`, 'Otherwise.', undefined)

it('takes the words that programs of ours use', () => {
  expect(read('too-complex')).toMatchObject({ word: 'too-complex', message: 'It is too long.' })
})

it.each(['constructor', 'toString', '__proto__', 'something else', 7, null])(
  'knows no failure %j',
  (failure) => {
    expect(read(failure)).toBeUndefined()
  },
)

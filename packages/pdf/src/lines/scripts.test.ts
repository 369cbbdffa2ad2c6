import { describe, expect, it } from 'vitest'
import { mirrorBrackets } from './scripts.ts'

describe('brackets from right to left', () => {
  const mirrored = (text: string): string => mirrorBrackets([...text]).join('')
  it('open before a word and close behind it, however they were named', () => {
    expect(mirrored('قبل )كلمة( بعد')).toBe('قبل (كلمة) بعد')
    expect(mirrored('قبل (كلمة) بعد')).toBe('قبل (كلمة) بعد')
    expect(mirrored(')i) كلمة')).toBe('(i) كلمة')
  })
})

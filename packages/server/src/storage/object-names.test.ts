import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUuid } from '../uuid.ts'
import { inputObject, outputObject, parseObjectName } from './object-names.ts'

test('names and their parts are the same thing', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 1, max: 1000 }), (jobId, attempt) => {
      expect(parseObjectName(inputObject(jobId))).toEqual({ kind: 'input', jobId })
      expect(parseObjectName(outputObject(jobId, attempt))).toEqual({ kind: 'output', jobId, attempt })
      expect(isUuid(jobId)).toBe(true)
    }),
  )
})

test('nothing else is a name', () => {
  fc.assert(fc.property(fc.string(), (text) => parseObjectName(text) === null))
  const id = '01234567-89ab-4def-8123-456789abcdef'
  for (const text of [
    `in/${id}/..`,
    `in/../${id}`,
    `in/${id}\n`,
    `out/${id}`,
    `out/${id}.1/x`,
    `in/${id.toUpperCase()}`,
  ]) {
    expect(parseObjectName(text)).toBeNull()
  }
})

import { compoundFile } from '@kiln/test-support/compound-file.ts'
import { expect, it } from 'vitest'
import { ConversionFailed } from '../../failure.ts'
import { readOleRoot } from './ole.ts'
import { uploadOf } from './upload.ts'

const whole = compoundFile({ WordDocument: Buffer.alloc(6000, 1), Data: Buffer.alloc(100, 2), Pictures: {} })

async function readAll(file: Buffer): Promise<string> {
  try {
    const { streams, folders } = await readOleRoot(uploadOf(file))
    for (const stream of streams.values()) await stream.start(10_000)
    return [...streams.keys(), ...folders].toSorted().join()
  } catch (error) {
    if (error instanceof ConversionFailed) return error.word
    throw error
  }
}

it('reads the streams and folders of the root', async () => {
  expect(await readAll(whole)).toBe('Data,Pictures,WordDocument')
})

it('finds streams whatever the case of their names', async () => {
  const { streams } = await readOleRoot(uploadOf(compoundFile({ WORKBOOK: Buffer.alloc(5000, 1) })))
  expect(streams.has('Workbook')).toBe(true)
  expect(streams.get('Workbook')?.size).toBe(5000)
  expect(streams.has('Book')).toBe(false)
})

it('ends with a documented failure, whatever a number of the header or the directory is', async () => {
  const ends = new Set<string>()
  const directoryAt = (whole.readUInt32LE(0x30) + 1) * 512
  for (const value of [0, 1, 0x7fffffff, 0xfffffff9, 0xffffffff]) {
    for (const start of [0x18, directoryAt, directoryAt + 128]) {
      for (let at = start; at < start + 128; at += 2) {
        const damaged = Buffer.from(whole)
        damaged.writeUInt32LE(value, at)
        ends.add(await readAll(damaged))
      }
    }
  }
  expect(ends).toContain('corrupt-input')
})

it('ends with a documented failure, wherever the file is cut off', async () => {
  for (let length = 8; length < whole.length; length += 256)
    expect(await readAll(whole.subarray(0, length))).not.toBe('internal')
})

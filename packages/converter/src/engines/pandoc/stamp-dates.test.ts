import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stampDates } from './stamp-dates.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-stamp-'))
})
afterAll(() => rm(folder, { recursive: true }))

interface Part {
  name: string
  contents: Buffer
  /** Sizes follow the data, as writers to a pipe store them. */
  descriptor: boolean
}

function pack(parts: readonly Part[]): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let position = 0
  for (const { name, contents, descriptor } of parts) {
    const packed = deflateRawSync(contents)
    const sizes = Buffer.alloc(12)
    sizes.writeUInt32LE(crc32(contents), 0)
    sizes.writeUInt32LE(packed.length, 4)
    sizes.writeUInt32LE(contents.length, 8)
    const common = Buffer.alloc(10)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(descriptor ? 8 : 0, 2)
    common.writeUInt16LE(8, 4)
    const nameLength = Buffer.alloc(4)
    nameLength.writeUInt16LE(Buffer.byteLength(name), 0)
    const written = Buffer.concat([
      ...[Buffer.from('PK\x03\x04'), common, descriptor ? Buffer.alloc(12) : sizes, nameLength],
      ...[Buffer.from(name), packed],
      ...(descriptor ? [Buffer.from('PK\x07\x08'), sizes] : []),
    ])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(position, 10)
    const version = Buffer.from([20, 0])
    directory.push(
      ...[Buffer.from('PK\x01\x02'), version, common, sizes, nameLength, rest],
      Buffer.from(name),
    )
    local.push(written)
    position += written.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(position, 16)
  return Buffer.concat([...local, list, end])
}

/**
 * The parts in the order of the directory. Throws when there are bytes between two of them, or before the directory.
 */
function unpack(bytes: Buffer): Map<string, string> {
  const parts = new Map<string, string>()
  const end = bytes.length - 22
  const directoryAt = bytes.readUInt32LE(end + 16)
  let expected = 0
  for (let at = directoryAt; at < end; ) {
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const localAt = bytes.readUInt32LE(at + 42)
    expect(localAt, name).toBe(expected)
    const dataAt = localAt + 30 + bytes.readUInt16LE(localAt + 26) + bytes.readUInt16LE(localAt + 28)
    const dataEnd = dataAt + bytes.readUInt32LE(at + 20)
    const contents = inflateRawSync(bytes.subarray(dataAt, dataEnd))
    expect(crc32(contents), name).toBe(bytes.readUInt32LE(at + 16))
    parts.set(name, contents.toString('latin1'))
    expected = dataEnd + (bytes.readUInt16LE(localAt + 6) & 8 ? 16 : 0)
    at += 46 + nameLength
  }
  expect(expected).toBe(directoryAt)
  return parts
}

const date = new Date('2031-07-08T09:10:11Z')
const long = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * at) >> 7))
const others = fc.uniqueArray(
  fc.record({
    name: fc.stringMatching(/^word\/[a-z]{1,12}\.xml$/),
    // Sometimes longer than a chunk that is moved at a time.
    contents: fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.constant(long),
    ),
    descriptor: fc.boolean(),
  }),
  { selector: ({ name }) => name, maxLength: 6 },
)

test('any package gets its dates, keeps every other part, and has no gap between its parts', () =>
  fc.assert(
    fc.asyncProperty(others, fc.nat(6), fc.boolean(), fc.string(), async (parts, at, descriptor, title) => {
      const dates = '<created>1970-01-01T00:00:00Z</created><modified>1970-01-01T00:00:00Z</modified>'
      const contents = Buffer.from(`<title>${title}</title>${dates}`)
      const before = parts.toSpliced(at, 0, { name: 'docProps/core.xml', contents, descriptor })
      const path = join(folder, 'output.docx')
      await writeFile(path, pack(before))
      await stampDates(path, date)
      const after = unpack(await readFile(path))
      expect([...after]).toEqual(
        before.map(({ name, contents }) => [
          name,
          contents.toString('latin1').replaceAll('1970-01-01T00:00:00Z', '2031-07-08T09:10:11Z'),
        ]),
      )
    }),
    { numRuns: 60 },
  ))

test('a package without a date of that kind stays as it is', async () => {
  const path = join(folder, 'undated.docx')
  const bytes = pack([{ name: 'docProps/core.xml', contents: Buffer.from('<title/>'), descriptor: false }])
  await writeFile(path, bytes)
  await stampDates(path, date)
  expect(await readFile(path)).toEqual(bytes)
})

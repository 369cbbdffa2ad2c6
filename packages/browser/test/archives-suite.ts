import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, gunzipSync, gzipSync } from 'node:zlib'
import { unzip, zip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'
import type { InputFile, TestPage } from './browsers.ts'

const text = 'Fired clay.\n'.repeat(500)
const entries = [
  { name: 'Größe/Ton.txt', content: text },
  { name: 'empty.txt', content: '' },
]
const zipped = zip(entries)
/** Declares that it is larger than it may be; it is not unpacked. */
const bombBytes = () => zip([{ name: 'zeros', content: '', claimedSize: 513 * 1024 * 1024 }])
const file = (name: string, bytes: Uint8Array): InputFile => ({ name, bytes })

/** The files of a tar, by Debian's tar. */
function untar(bytes: Buffer, ...options: string[]): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-tar-'))
  try {
    const archive = join(folder, 'archive')
    writeFileSync(archive, bytes)
    const tar = (...args: string[]) =>
      execFileSync('tar', [...options, '--quoting-style=literal', '-f', archive, ...args]).toString()
    const names = tar('-t')
      .split('\n')
      .filter((name) => name !== '' && !name.endsWith('/'))
    return new Map(names.map((name) => [name, tar('-xO', name)]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** RAR 5 with files that are stored: no free program writes it. */
function rar(files: readonly { name: string; content: string }[]): Buffer {
  const vint = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...vint(Math.floor(value / 128))]
  const uint32 = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const block = (fields: Buffer, data: Uint8Array = Buffer.alloc(0)) => {
    const header = Buffer.concat([Buffer.from(vint(fields.length)), fields])
    return Buffer.concat([uint32(crc32(header)), header, data])
  }
  const fileBlock = (name: string, data: Buffer) => {
    const encoded = Buffer.from(name)
    const [type, hasData, hasChecksum, stored, unix] = [2, 2, 4, 0, 1]
    const size = vint(data.length)
    return block(
      Buffer.concat([
        Buffer.from([type, hasData, ...size, hasChecksum, ...size, ...vint(0o100644)]),
        uint32(crc32(data)),
        Buffer.from([stored, unix, ...vint(encoded.length)]),
        encoded,
      ]),
      data,
    )
  }
  return Buffer.concat([
    Buffer.from('526172211a070100', 'hex'),
    block(Buffer.from([1, 0, 0])),
    ...files.map(({ name, content }) => fileBlock(name, Buffer.from(content))),
    block(Buffer.from([5, 0, 0])),
  ])
}

export function testArchives(page: () => TestPage): void {
  const asZip = async (name: string, bytes: Uint8Array) => {
    const output = await page().convert(file(name, bytes), 'zip')
    return new Map([...unzip(output.bytes)].map(([name, content]) => [name, String(content)]))
  }
  const expectEntries = (found: ReadonlyMap<string, string>) => {
    expect(found.get('Größe/Ton.txt')).toBe(text)
    expect(found.get('empty.txt')).toBe('')
  }

  test('zip becomes 7z, tar and compressed tar, and they become zip again', async () => {
    const written = new Map<string, Buffer>()
    for (const to of ['7z', 'tar', 'gz', 'bz2', 'xz'])
      written.set(to, (await page().convert(file('a.zip', zipped), to)).bytes)
    const bytesOf = (to: string) => written.get(to) as Buffer
    expectEntries(untar(bytesOf('tar')))
    expectEntries(untar(bytesOf('gz'), '--gzip'))
    expectEntries(untar(bytesOf('bz2'), '--bzip2'))
    expectEntries(untar(bytesOf('xz'), '--xz'))
    expect(bytesOf('7z').subarray(0, 6).toString('hex')).toBe('377abcaf271c')
    for (const [from, bytes] of written) expectEntries(await asZip(`a.${from}`, bytes))
    // The name of a compressed tar does not matter.
    expectEntries(await asZip('a.tgz', bytesOf('gz')))
    expect(gunzipSync(bytesOf('gz')).subarray(257, 262).toString()).toBe('ustar')
  })

  test('rar is read, and a compressed file that is no archive', async () => {
    expectEntries(await asZip('a.rar', rar(entries)))
    const notes = await asZip('notes.txt.gz', gzipSync(text))
    expect([...notes.values()]).toEqual([text])
  })

  test('damaged archives fail', async () => {
    const cut = file('cut.zip', zipped.subarray(0, 80))
    const lies = file('lies.zip', zip([{ name: 'a', content: text, claimedSize: 5 }]))
    for (const damaged of [cut, lies, file('no.rar', Buffer.from('no archive'))])
      expect(await page().failure(damaged, 'tar')).toMatchObject({ code: 'corrupt-input' })
    const encrypted = file('a.zip', zip([{ name: 'a', content: text, stored: true, encrypted: true }]))
    expect((await page().failure(encrypted, 'tar')).code).toBe('password-protected')
  })

  test('an archive bomb fails before it fills the memory', async () => {
    expect(await page().failure(file('bomb.zip', bombBytes()), 'tar')).toMatchObject({ code: 'too-large' })
    const many = Array.from({ length: 10_001 }, (_, index) => ({
      name: `${index}`,
      content: '',
      stored: true,
    }))
    expect(await page().failure(file('many.zip', zip(many)), 'tar')).toMatchObject({ code: 'too-large' })
    // The tab goes on.
    expect((await page().convert(file('a.zip', zipped), 'tar')).type).toBe('application/x-tar')
  })
}

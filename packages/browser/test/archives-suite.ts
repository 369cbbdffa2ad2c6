import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { unzip, zip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'
import { arj, rar } from './archive-writers.ts'
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

const unzipped = (bytes: Buffer) =>
  new Map([...unzip(bytes)].map(([name, content]) => [name, String(content)]))

/** Programs that are not ours read the outputs; 7z files become zip files first. */
const readers: Readonly<Record<string, (bytes: Buffer) => Map<string, string>>> = {
  zip: unzipped,
  '7z': unzipped,
  tar: untar,
  gz: (bytes) => untar(bytes, '--gzip'),
  bz2: (bytes) => untar(bytes, '--bzip2'),
  xz: (bytes) => untar(bytes, '--xz'),
}

const fired = 'Fired clay.\n'.repeat(60)

/** Archives of other programs: gcab, jlha, ncompress, cpio, binutils, genisoimage, rpm, dpkg, xz and zstd. */
function otherArchives(): Map<string, Buffer> {
  const sample = (name: string) => readFileSync(new URL(`./samples/sample.${name}`, import.meta.url))
  const files = [
    { name: 'clay/fired.txt', content: fired },
    { name: 'empty.txt', content: '' },
  ]
  const folder = mkdtempSync(join(tmpdir(), 'kiln-archives-'))
  const run = (...[program, ...args]: [string, ...string[]]) => execFileSync(program, args, { cwd: folder })
  try {
    mkdirSync(join(folder, 'data/clay'), { recursive: true })
    mkdirSync(join(folder, 'data/DEBIAN'))
    for (const { name, content } of files) writeFileSync(join(folder, 'data', name), content)
    const control =
      'Package: clay\nVersion: 1\nArchitecture: all\nMaintainer: A <a@example.com>\nDescription: clay\n'
    writeFileSync(join(folder, 'data/DEBIAN/control'), control)
    run('dpkg-deb', '--build', 'data', 'sample.deb')
    const tar = run('tar', '-c', '-C', 'data', 'clay', 'empty.txt')
    return new Map([
      ...['ar', 'cab', 'cpio', 'lzh', 'rpm', 'z'].map((name) => [name, sample(name)] as const),
      ['iso', gunzipSync(sample('iso.gz'))],
      ['deb', readFileSync(join(folder, 'sample.deb'))],
      ['lzma', execFileSync('xz', ['--format=lzma', '--stdout'], { input: tar })],
      ['zst', zstdCompressSync(tar)],
      ['rar', rar(files)],
      ['arj', arj(files)],
      ['jar', zip(files)],
      ['war', zip(files)],
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export function testArchives(page: () => TestPage): void {
  const asZip = async (name: string, bytes: Uint8Array) => {
    const output = await page().convert(file(name, bytes), 'zip')
    return unzipped(output.bytes)
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

  test('every other archive becomes every target, with the same files', async () => {
    for (const [from, bytes] of otherArchives())
      for (const [to, readFiles] of Object.entries(readers)) {
        const { bytes: written } = await page().convert(file(`a.${from}`, bytes), to)
        const found = to === '7z' ? await asZip('a.7z', written) : readFiles(written)
        const contents = new Map([...found].map(([name, content]) => [basename(name), content]))
        expect([contents.get('fired.txt'), contents.get('empty.txt')], `${from} to ${to}`).toEqual([
          fired,
          '',
        ])
      }
  })

  test('a compressed file that is no archive', async () => {
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
    // The tab still works.
    expect((await page().convert(file('a.zip', zipped), 'tar')).type).toBe('application/x-tar')
  })
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ZipEntry, zip } from '@kiln/test-support/zip.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findMain } from '../../catalog/main-file.ts'
import { readArchive, safePath } from './read-archive.ts'
import { partTypeOf } from './web-parts.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kiln-archive-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const read = (entries: readonly ZipEntry[]) => {
  const path = join(folder, 'archive.zip')
  writeFileSync(path, zip(entries))
  return readArchive(path)
}

it('a page uses no file whose ending is a name that every object has', () => {
  const paths = ['a.constructor', 'a.__proto__', 'a.toString', 'a.PNG']
  expect(paths.map(partTypeOf)).toEqual([undefined, undefined, undefined, 'image/png'])
})

describe('the files of an archive', () => {
  const file = (name: string, content = 'x') => ({ name, content })

  it.each<[string, ZipEntry[]]>([
    ['a path that climbs', [file('../../up.md')]],
    ['a path that climbs later', [file('a/../../up.md')]],
    ['a path from the root', [file('/etc/x')]],
    ['a drive', [file('C:\\x.md')]],
    ['a path that climbs by backslashes', [file('a\\..\\..\\x')]],
    ['a name with control characters', [file('a\nb')]],
    ['a name that is too long', [file('a'.repeat(300))]],
    ['a path that is too long', [file(`${'a/'.repeat(600)}b`)]],
    ['two files of one name', [file('a'), file('a')]],
    ['two files of one name, written otherwise', [file('a/b'), file('./a/b')]],
    ['a file that is a folder too', [file('a'), file('a/b')]],
    ['a size that is a lie', [{ ...file('a', 'longer than that'), claimedSize: 3 }]],
  ])('%s is refused', async (_, entries) => {
    await expect(read([file('index.md'), ...entries])).rejects.toMatchObject({ word: 'corrupt-input' })
  })

  it('links, folders and what is hidden are left out; names of other encodings are kept', async () => {
    const files = await read([
      file('é.md'),
      { ...file(''), rawName: Buffer.from('ö.md') },
      { ...file(''), rawName: Buffer.from([0x84, 0x2e, 0x6d, 0x64]) },
      { ...file('link', '/etc/passwd'), mode: 0o120777 },
      file('folder/', ''),
      file('__MACOSX/._a'),
      file('.git/config'),
      file('a\\b.png'),
    ])
    expect([...files.keys()]).toEqual(['é.md', 'ö.md', 'ä.md', 'a/b.png'])
  })

  it('no path leads out, whatever it is made of', () => {
    const piece = fc.constantFrom('..', '.', '', 'a', '/', '\\', '..\\', ' ', 'C:', '\0', '~', '…')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom('/', '\\', ''), (pieces, separator) => {
        let path: string
        try {
          path = safePath(pieces.join(separator))
        } catch {
          // Refusing the path is a valid result.
          return
        }
        expect(join('/out/source', path)).toBe(`/out/source/${path}`)
      }),
    )
  })
})

describe('the document of an archive', () => {
  const find = (format: 'html' | 'md' | 'latex' | 'rst', files: Readonly<Record<string, string>>) =>
    findMain(Object.keys(files), format, (path) => files[path] ?? '')

  it.each([
    ['md', { 'book.md': '', 'docs/index.md': '' }, 'book.md'],
    ['md', { 'a.md': '', 'README.md': '', 'b.md': '' }, 'README.md'],
    ['html', { 'Page.HTM': '', 'Page_files/frame.html': '' }, 'Page.HTM'],
    ['html', { 'site/about.html': '', 'site/index.html': '' }, 'site/index.html'],
    ['latex', { 'a.tex': '', 'paper.tex': '  \\documentclass[a4]{article}' }, 'paper.tex'],
    [
      'latex',
      {
        'one.tex': '\\documentclass[b]{subfiles}',
        'two.tex': '% \\documentclass',
        'b.tex': '\\documentclass{b}',
      },
      'b.tex',
    ],
    ['latex', { 'x/only.tex': 'words' }, 'x/only.tex'],
    ['rst', { 'index.rst': '', 'main.rst': '' }, 'index.rst'],
  ] as const)('%s: %j', (format, files, main) => expect(find(format, files)).toBe(main))

  it('what is missing or not clear is said', () => {
    expect(() => find('md', { 'a.txt': '' })).toThrow(/no Markdown file \(\.md, \.markdown\)/)
    expect(() => find('latex', { 'a.tex': '', 'b.tex': '' })).toThrow(
      /2 LaTeX files side by side.*index\.tex/,
    )
  })
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { detectEncoding } from './detect-encoding.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-encoding-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function encodingOf(content: Buffer | string): Promise<string | undefined> {
  const path = join(folder, 'text')
  await writeFile(path, content)
  return (await detectEncoding(path))?.name
}

test.each<[string, Buffer | string, string | undefined]>([
  ['ASCII', 'plain', 'utf-8'],
  ['UTF-8', 'Grüße, 世界 😀', 'utf-8'],
  ['UTF-8 with a mark', '\uFEFFGrüße', 'utf-8'],
  ['a character across two chunks', `${'a'.repeat(65_535)}ü${'b'.repeat(70_000)}`, 'utf-8'],
  ['UTF-16', Buffer.from('\uFEFFGrüße', 'utf16le'), 'utf-16le'],
  ['Latin-1', Buffer.from('Sch\xf6ne Gr\xfc\xdfe aus K\xf6ln, sagt der B\xe4r.', 'latin1'), 'windows-1252'],
  ['Shift_JIS', Buffer.from('93fa967b8cea82cc83658358836782c582b781422093fa967b8cea', 'hex'), 'shift_jis'],
  ['UTF-16 without a mark, in Cyrillic', Buffer.from('Гончар ждал.\n', 'utf16le').swap16(), 'utf-16be'],
  ['ISO-2022-JP', Buffer.from('\x1b$B4tJ*\x1b(B\n', 'latin1'), 'iso-2022-jp'],
  ['a declaration of HTML', latin1('<meta charset="windows-1251"><p>\xc3\xee'), 'windows-1251'],
  ['of XHTML', latin1('<?xml version="1.0" encoding="iso-8859-2"?><p>\xb1'), 'iso-8859-2'],
  ['of LaTeX', latin1('\\documentclass{a}\n\\usepackage[cp1250]{inputenc}\n\x9c'), 'windows-1250'],
  ['of Emacs', latin1('.. -*- coding: koi8-r -*-\n\n\xc7'), 'koi8-r'],
  [
    'a declaration that is a comment',
    latin1('% \\usepackage[cp1251]{inputenc}\nGr\xfc\xdfe aus K\xf6ln'),
    'windows-1252',
  ],
  ['a declaration that is wrong', '<meta charset="windows-1251"><p>Grüße', 'utf-8'],
  ['zero bytes', Buffer.from([65, 0, 66]), undefined],
  ['control characters', Buffer.from([65, 1, 2, 3]), undefined],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), undefined],
])('%s', async (_, content, expected) => {
  expect(await encodingOf(content)).toBe(expected)
})

import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withStyle, writeWebArchive } from './web-archive.ts'

test('a style stands behind the doctype and before everything else', () => {
  expect(withStyle('<!DOCTYPE html><html>', 's{}')).toBe('<!DOCTYPE html><style>s{}</style><html>')
  expect(withStyle('<?xml version="1.0"?>\n<!-- a --><!doctype html PUBLIC "x"><p>', 's{}')).toBe(
    '<?xml version="1.0"?>\n<!-- a --><!doctype html PUBLIC "x"><style>s{}</style><p>',
  )
  expect(withStyle('<p>', 's{}')).toBe('<style>s{}</style><p>')
  expect(withStyle('<p>', '')).toBe('<p>')
})

test('the archive holds the page, whatever is in it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-archive-'))
  try {
    // Longer than one chunk, with multi-byte characters at every offset, and with a MIME boundary in its content.
    const page = `--kiln-page--\r\n${'äö€😀 '.repeat(40_000)}end`
    await writeFile(join(folder, 'page.html'), page)
    await writeWebArchive(join(folder, 'page.html'), join(folder, 'page.mhtml'), '')
    const [head, body = ''] = (await readFile(join(folder, 'page.mhtml'), 'latin1')).split(
      'page.invalid/\r\n\r\n',
    )
    expect(head).toContain('Content-Transfer-Encoding: base64')
    const encoded = body.slice(0, body.indexOf('--kiln-page--'))
    expect(Buffer.from(encoded, 'base64').toString('utf8')).toBe(`\uFEFF${page}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('a page that is a link is not followed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-archive-'))
  try {
    await symlink('/etc/hostname', join(folder, 'page.html'))
    await expect(writeWebArchive(join(folder, 'page.html'), join(folder, 'page.mhtml'), '')).rejects.toThrow(
      'ELOOP',
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

// @module-tag slow

import { readFile } from 'node:fs/promises'
import { openTestConverter, pairOf } from '@kiln/test-support/test-converter.ts'
import { expect, test, vi } from 'vitest'
import { contentsOf } from './attacks/world.ts'

// Processes that are forked from one parent, or pre-warmed, must not share the state of a random number generator:
// random values in one account's document (a salt, an identifier) would predict another's.

vi.setConfig({ testTimeout: 180_000 })

const documents = 4

test('processes that LibreOffice forks do not repeat random numbers', async () => {
  const kiln = await openTestConverter({ pairs: [pairOf('rtf', 'odt')] })
  try {
    // Documents before that are converted by a new LibreOffice each.
    await kiln.converter.prepare()
    const seen = new Set<string | undefined>()
    for (let n = 0; n < documents; n++) {
      const output = await kiln.convert('{\\rtf1 The same document.}', 'rtf', 'odt')
      // Each document gets a random number for the changes made in one session.
      seen.add(/config:name="Rsid" config:type="int">(\d+)</.exec(contentsOf(await readFile(output)))?.[1])
    }
    expect(seen).not.toContain(undefined)
    expect(seen.size).toBe(documents)
  } finally {
    await kiln.close()
  }
})

test('sheets that LibreOffice converts do not repeat random numbers', async () => {
  const kiln = await openTestConverter({ pairs: [pairOf('fods', 'csv')] })
  try {
    await kiln.converter.prepare()
    const seen = new Set<string>()
    for (let n = 0; n < documents; n++) {
      const output = await kiln.convert(sheetOf(['RAND()', 'RANDBETWEEN(1;1000000000)']), 'fods', 'csv')
      const numbers = (await readFile(output, 'utf8')).trim().split(',')
      expect(numbers).toEqual([expect.stringMatching(/^0\.\d{6,}$/), expect.stringMatching(/^\d+$/)])
      for (const number of numbers) seen.add(number)
    }
    expect(seen.size).toBe(2 * documents)
  } finally {
    await kiln.close()
  }
})

/** A sheet with a row of formulas. */
function sheetOf(formulas: readonly string[]): string {
  const namespaces = ['office', 'table']
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(' ')
  const cells = formulas.map((formula) => `<table:table-cell table:formula="of:=${formula}"/>`).join('')
  const table = `<table:table table:name="a"><table:table-row>${cells}</table:table-row></table:table>`
  return `<office:document ${namespaces} xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>${table}</office:spreadsheet></office:body></office:document>`
}

test('pre-warmed processes do not repeat identifiers', async () => {
  const kiln = await openTestConverter({ pairs: [pairOf('md', 'epub')], withPool: true })
  try {
    await kiln.converter.prepare()
    const seen = new Set<string | undefined>()
    for (let n = 0; n < documents; n++) {
      const output = await kiln.convert('# The same document\n', 'md', 'epub')
      seen.add(/urn:uuid:([0-9a-f-]{36})/.exec(contentsOf(await readFile(output)))?.[1])
    }
    expect(seen).not.toContain(undefined)
    expect(seen.size).toBe(documents)
  } finally {
    await kiln.close()
  }
})

import { compressedFolder, keynoteFile, numbersFile, pagesFile } from '@kiln/test-support/iwork.ts'
import { vsdx, wpd } from '@kiln/test-support/other-programs.ts'
import { pdfText } from '@kiln/test-support/pdf-facts.ts'
import { officeFile } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { zip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'
import type { FormatName } from '../../../src/catalog/formats.ts'

// Documents of other programs, which LibreOffice reads with libraries of their own.

const kiln = useTestConverter()

const table = [
  ['Species', 'Habitat'],
  ['Bryum', 'Rocks'],
]
const sources: readonly (readonly [FormatName, () => Promise<Buffer>, RegExp])[] = [
  ['pages', async () => pagesFile('A letter about mosses'), /A letter about mosses/],
  ['numbers', async () => numbersFile(table), /^Species[\s\S]*Rocks\s*$/],
  ['key', async () => keynoteFile('Slides about mosses'), /Slides about mosses/],
  ['vsdx', async () => vsdx('A drawing of mosses'), /A drawing of mosses/],
  ['wpd', async () => wpd('A letter about mosses\nIt has two paragraphs.\n'), /mosses\s+It has two/],
  ['vsd', () => officeFile('connectors.vsd'), /Static to Static/],
  ['pub', () => officeFile('text-boxes.pub'), /0123456789abcdef/],
]

test.each(sources)('%s to PDF', async (from, make, text) => {
  expect(await pdfText(await kiln.convert(await make(), from, 'pdf'))).toMatch(text)
})

test('a document of Keynote that is a folder, compressed in Finder', async () => {
  const folder = compressedFolder('Vortrag über Moose.key', keynoteFile('Slides about mosses'))
  expect(await pdfText(await kiln.convert(folder, 'key', 'pdf'))).toMatch(/Slides about mosses/)
  expect(await kiln.failure(folder, 'pages', 'pdf')).toMatch(/^wrong-format: .*it is a Keynote file/)
})

test('a file of another of these formats is named', async () => {
  const names = new Map<FormatName, string>()
  for (const [from, make] of sources) {
    const other = from === 'pages' ? 'numbers' : 'pages'
    names.set(from, await kiln.failure(await make(), other, 'pdf'))
  }
  for (const [label, from] of [
    ['Pages', 'pages'],
    ['Numbers', 'numbers'],
    ['Keynote', 'key'],
    ['VSDX', 'vsdx'],
    ['WPD', 'wpd'],
    ['VSD', 'vsd'],
    ['PUB', 'pub'],
  ] as const)
    expect(names.get(from)).toMatch(new RegExp(`^wrong-format: .*it is an? ${label} file`))
})

test('a document with a password says that it has one', async () => {
  const locked = [
    ['wpd', wpd('secret', { passwordChecksum: 0x1234 })],
    ['pages', zip([{ name: '.iwpv2', content: 'x' }])],
  ] as const
  for (const [from, file] of locked)
    expect(await kiln.failure(file, from, 'pdf')).toMatch(/^password-protected: .*Remove the password/)
})

test('a version that LibreOffice does not read says so', async () => {
  const unread = zip([{ name: 'index.apxl', content: '<presentation/>' }])
  expect(await kiln.failure(unread, 'key', 'pdf')).toMatch(/^unsupported: .*Export it/)
  const blank = numbersFile(table, { tileType: 6999 })
  expect(await kiln.failure(blank, 'numbers', 'pdf')).toMatch(/^unsupported: .*Export it/)
})

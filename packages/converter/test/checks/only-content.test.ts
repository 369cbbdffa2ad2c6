// @module-tag slow

import { readFile } from 'node:fs/promises'
import { docxWithChart, flatDocument, openDocument, png } from '@kiln/test-support/documents.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { describe, expect, test } from 'vitest'
import type { FormatName } from '../../src/catalog/formats.ts'

// Documents whose only content is a picture, a drawing or a chart convert like any other.

const kiln = useTestConverter()

const at = 'svg:x="2cm" svg:y="2cm" svg:width="4cm" svg:height="4cm"'
const data = `<office:binary-data>${png.toString('base64')}</office:binary-data>`
const contents = {
  picture: `<draw:frame ${at}><draw:image>${data}</draw:image></draw:frame>`,
  drawing: `<draw:rect ${at}/>`,
}
type Kind = keyof typeof contents

const bodies = {
  text: (shape: string) =>
    `<text:p>${shape.replace('<draw:rect', '<draw:rect text:anchor-type="paragraph"')}</text:p>`,
  spreadsheet: (shape: string) =>
    `<table:table table:name="S"><table:shapes>${shape}</table:shapes><table:table-row><table:table-cell/></table:table-row></table:table>`,
  presentation: (shape: string) => `<draw:page draw:name="p">${shape}</draw:page>`,
}

const sources: readonly (readonly [keyof typeof bodies, FormatName, readonly FormatName[]])[] = [
  ['text', 'fodt', ['odt', 'docx']],
  ['spreadsheet', 'fods', ['ods', 'xlsx']],
]

describe.each(['picture', 'drawing'] as const)('only a %s', (kind: Kind) => {
  test.each(sources)('%s', async (document, flat, others) => {
    const source = flatDocument(document, bodies[document](contents[kind]))
    const files = new Map<FormatName, Buffer | string>([[flat, source]])
    for (const other of others) files.set(other, await readFile(await kiln.convert(source, flat, other)))
    const workbook = files.get('xlsx')
    if (workbook) files.set('xlsm', workbook)
    for (const [from, file] of files) await kiln.convert(file, from, 'pdf')
  })

  test('slides', async () => {
    const source = openDocument('presentation', bodies.presentation(contents[kind]))
    const pptx = await readFile(await kiln.convert(source, 'odp', 'pptx'))
    await kiln.convert(source, 'odp', 'pdf')
    await kiln.convert(pptx, 'pptx', 'pdf')
    if (kind === 'picture') await kiln.convert(pptx, 'pptx', 'md')
    else expect(await kiln.failure(pptx, 'pptx', 'md')).toMatch(/^unsupported: /)
  })
})

test('only a picture, to text', async () => {
  const source = flatDocument('spreadsheet', bodies.spreadsheet(contents.picture))
  const workbook = await readFile(await kiln.convert(source, 'fods', 'xlsx'))
  for (const to of ['md', 'html'] as const)
    expect(await readFile(await kiln.convert(workbook, 'xlsm', to), 'utf8')).toContain('data:image/png')
  expect(await kiln.failure(workbook, 'xlsm', 'csv')).toMatch(/^unsupported: /)
  const text = flatDocument('text', bodies.text(contents.picture))
  const letter = await readFile(await kiln.convert(text, 'fodt', 'docx'))
  expect(await readFile(await kiln.convert(letter, 'docx', 'md'), 'utf8')).toContain('data:image/png')
})

test('only a chart', async () => {
  await kiln.convert(docxWithChart('Heights', ['Bryum', 'Mnium']), 'docx', 'pdf')
})

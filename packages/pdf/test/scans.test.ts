import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onePage, scannedPage } from '@kiln/test-support/pdf-file.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkshop, program, unzip, type Workshop } from './office.ts'

// A page that is a picture, made from a page of text: with text recognition at hand and without it.

let shop: Workshop
let scan: string
beforeAll(() => {
  shop = openWorkshop()
  const lines = ['Kilns fire clay at great heat.', 'The second line of the page.']
  const text = onePage(`BT /F1 24 Tf 72 700 Td ${lines.map((l) => `(${l}) Tj 0 -60 Td`).join(' ')} ET`)
  execFileSync('pdftoppm', [
    '-r',
    '150',
    '-jpeg',
    '-singlefile',
    shop.write('text.pdf', text),
    join(shop.folder, 'page'),
  ])
  const jpeg = readFileSync(join(shop.folder, 'page.jpg'))
  scan = shop.write('scan.pdf', scannedPage(jpeg, { width: 1275, height: 1650 }))
})
afterAll(() => shop.close())

const run = (output: string, path = process.env.PATH ?? '') =>
  spawnSync(process.execPath, [program, scan, join(shop.folder, output)], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: path },
  })

describe('a scan', () => {
  it('is unsupported where nothing can read it', () => {
    const result = run('without.docx', '/nowhere')
    expect(result.status).toBe(3)
    expect(JSON.parse(result.stderr)).toMatchObject({ failure: 'unsupported' })
  })

  it('is read where tesseract is installed, keeps its picture, and the document says so', () => {
    expect(run('with.docx').status).toBe(0)
    const parts = unzip(join(shop.folder, 'with.docx'))
    const body = parts.get('word/document.xml')?.toString('utf8') ?? ''
    const text = [...body.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)].map((m) => m[1]).join(' ')
    expect(text).toMatch(/Kilns fire clay at great heat\./)
    expect(text).toMatch(/The second line of the page\./)
    expect([...parts.keys()].some((n) => n.startsWith('word/media/'))).toBe(true)
    expect(parts.get('docProps/core.xml')?.toString('utf8')).toContain('recognised from pictures')
  })

  it.each(['md', 'html'])('says so in %s too', (format) => {
    expect(run(`with.${format}`).status).toBe(0)
    const text = readFileSync(join(shop.folder, `with.${format}`), 'utf8')
    expect(text).toContain('Kilns fire clay at great heat.')
    expect(text).toContain('recognised from pictures')
  })
})

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flatDocument, paragraph } from './flat-document.ts'
import { openWorkshop, paragraphsOf, pdfWith, program, unzip, type Workshop } from './office.ts'

// The whole way: a text laid out by LibreOffice as PDF, back to Word, and once more through LibreOffice.

let shop: Workshop
beforeAll(() => {
  shop = openWorkshop()
})
afterAll(() => shop.close())

const html = (body: string): string => `<html><head><meta charset="utf-8"></head><body>${body}</body></html>`
const words = (text: string): string[] => text.split(/\s+/).filter((w) => w)

function pdfFrom(name: string, body: string): string {
  return shop.office(shop.write(`${name}.html`, html(body)), 'pdf:writer_web_pdf_Export')
}

describe('conversion', () => {
  it('keeps headings, lists, tables and links, and survives a round trip', { timeout: 180_000 }, () => {
    const long =
      'A sentence that is long enough to fill more than one line of the page when it is set in an ordinary size. '
    const pdf = pdfFrom(
      'report',
      `<h1>Annual report</h1><p>${long.repeat(4)}</p><ul><li>first item</li><li>second item</li></ul>
       <table border="1"><tr><td>Name</td><td>Count</td></tr><tr><td>Apples</td><td>12</td></tr></table>
       <p>See <a href="https://example.org/page">the page</a>.</p><p>${long.repeat(3)}</p>`,
    )
    const docx = shop.convert(pdf, 'report-out.docx')
    const parts = unzip(docx)
    const xml = parts.get('word/document.xml')?.toString('utf8') ?? ''
    expect(xml).toMatch(/<w:pStyle w:val="(Heading1|Title)"\/>/)
    expect(xml.match(/<w:numPr>/g)).toHaveLength(2)
    expect(xml.match(/<w:tc>/g)).toHaveLength(4)
    expect(xml).not.toMatch(/<w:framePr|txbxContent/)
    expect(parts.get('word/_rels/document.xml.rels')?.toString('utf8')).toContain('https://example.org/page')
    const again = shop.office(shop.office(docx, 'odt'), 'docx')
    expect(paragraphsOf(again).join(' ')).toBe(paragraphsOf(docx).join(' '))
  })

  it('writes parts that are well-formed and refer only to what is there', { timeout: 120_000 }, () => {
    const docx = shop.convert(
      pdfFrom('small', '<h2>Title</h2><p>Some text &amp; more.</p>'),
      'small-out.docx',
    )
    const parts = unzip(docx)
    const types = parts.get('[Content_Types].xml')?.toString('utf8') ?? ''
    for (const [, name] of types.matchAll(/PartName="\/([^"]+)"/g))
      expect(parts.has(name as string), name).toBe(true)
    const relations = parts.get('word/_rels/document.xml.rels')?.toString('utf8') ?? ''
    for (const [, target] of relations.matchAll(/Target="([^"]+)"\/>/g))
      expect(parts.has(`word/${target}`), target).toBe(true)
  })

  // Any text: letters of several scripts, digits, signs, words as long as they come, in any font and size.
  const letters = fc.oneof(
    { weight: 8, arbitrary: fc.stringMatching(/^[A-Za-z]{1,11}$/) },
    fc.stringMatching(/^[a-zäöüßéèçñåøł]{2,9}$/),
    fc.stringMatching(/^[а-я]{2,9}$/),
    fc.stringMatching(/^\d{1,6}$/),
    fc.constantFrom(
      '(so)',
      '“quoted”',
      'co.',
      'e.g.',
      '50%',
      '§7',
      'A/B',
      '&amp;',
      'don’t',
      'x=y',
      '#1',
      '€5',
    ),
  )
  const sentence = fc.array(letters, { minLength: 1, maxLength: 70 }).map((w) => `Start ${w.join(' ')}.`)
  const look = fc.record({
    size: fc.integer({ min: 8, max: 16 }),
    font: fc.constantFrom('Liberation Serif', 'Liberation Sans', 'Carlito', 'DejaVu Sans'),
    align: fc.constantFrom('left', 'justify'),
  })

  it.each([11, 23, 47])(
    'brings plain paragraphs back whole and in order, seed %i',
    { timeout: 600_000, tags: 'slow' },
    (seed) => {
      const texts = fc.sample(fc.tuple(fc.array(sentence, { minLength: 1, maxLength: 14 }), look), {
        numRuns: 5,
        seed,
      })
      const pages = texts.map(([paragraphs, { size, font, align }], number) => {
        const style = `font-family:'${font}';font-size:${size}pt;text-align:${align}`
        const body = paragraphs.map((p) => `<p style="${style}">${p}</p>`).join('')
        return shop.write(`plain-${seed}-${number}.html`, html(body))
      })
      for (const [number, pdf] of shop.officeAll(pages, 'pdf:writer_web_pdf_Export').entries()) {
        const [paragraphs] = texts[number] as (typeof texts)[number]
        const made = paragraphsOf(shop.convert(pdf, `plain-${seed}-${number}-out.docx`))
        const wanted = words(paragraphs.join(' ').replaceAll('&amp;', '&'))
        expect(words(made.join(' '))).toEqual(wanted)
        // As many paragraphs as there were, or nearly: a last line that is full leaves no trace of its end.
        expect(Math.abs(made.length - paragraphs.length)).toBeLessThanOrEqual(
          Math.ceil(paragraphs.length / 5),
        )
      }
    },
  )

  it('makes files that python-docx opens and that LibreOffice gives back with their text', {
    timeout: 180_000,
    tags: 'slow',
  }, () => {
    const body =
      '<h1>One</h1><p>Text under it.</p><ol><li>a</li><li>b</li></ol><table border="1"><tr><td>c</td><td>d</td></tr></table><p>The <b>end</b> of it.</p>'
    const docx = shop.convert(pdfFrom('opened', body), 'opened-out.docx')
    const script =
      'import docx,sys; d=docx.Document(sys.argv[1]); print(len(d.paragraphs), len(d.tables), d.core_properties.title)'
    const said = execFileSync('/usr/bin/python3', ['-c', script, docx], { encoding: 'utf8' })
    expect(said).toMatch(/^\d+ 1 /)
    const again = shop.office(docx, 'txt:Text')
    for (const text of ['One', 'Text under it.', 'The end of it.'])
      expect(readFileSync(again, 'utf8')).toContain(text)
  })

  it('writes Markdown and HTML by the name of the output', { timeout: 120_000 }, () => {
    const pdf = pdfFrom(
      'formats',
      '<h1>Title</h1><p>Some text of the body, long enough to be told from the heading above it.</p>',
    )
    expect(readFileSync(shop.convert(pdf, 'formats.md'), 'utf8')).toMatch(/^# Title\n\nSome text/)
    expect(readFileSync(shop.convert(pdf, 'formats.out.html'), 'utf8')).toContain('<h1')
  })
})

describe('failures', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', timeout: 60_000 })

  it('says in one JSON line what is wrong with a file', () => {
    const result = run(shop.write('broken.pdf', 'this is no PDF'), `${shop.folder}/x.docx`)
    expect(result.status).toBe(3)
    expect(JSON.parse(result.stderr)).toMatchObject({ failure: 'corrupt-input' })
  })

  it('opens what is locked only against changes, and names a password', { timeout: 120_000 }, () => {
    const source = (name: string): string =>
      shop.write(`${name}.fodt`, flatDocument({ body: paragraph('Locked words.') }))
    const changes = pdfWith({ RestrictPermissions: true, PermissionPassword: 'owner' })
    const open = run(shop.office(source('changes'), changes), `${shop.folder}/open.md`)
    expect(open.status).toBe(0)
    expect(readFileSync(`${shop.folder}/open.md`, 'utf8')).toBe('Locked words.\n')
    const reading = pdfWith({ EncryptFile: true, DocumentOpenPassword: 'secret' })
    const locked = run(shop.office(source('reading'), reading), `${shop.folder}/locked.md`)
    expect(locked.status).toBe(3)
    expect(JSON.parse(locked.stderr)).toMatchObject({ failure: 'password-protected' })
  })

  it('ends a conversion that takes too long', { timeout: 60_000 }, () => {
    const pages = 400
    const body = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count ${pages}/Kids[${'3 0 R '.repeat(pages)}]>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>endobj\n4 0 obj<</Length 120000>>stream\n${'0 0 m 9 9 l S\n'.repeat(8000)}\nendstream endobj\ntrailer<</Root 1 0 R>>`
    const result = run(shop.write('paths.pdf', body), `${shop.folder}/x.docx`, '--deadline', '0.2')
    expect(result.status).toBe(3)
    expect(JSON.parse(result.stderr)).toMatchObject({ failure: 'too-complex' })
  })

  it('explains itself when called wrongly', () => expect(run('only-one-argument').status).toBe(2))
})

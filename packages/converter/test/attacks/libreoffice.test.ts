import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { docxWith, flatDocument, openDocument, paragraph } from '@kiln/test-support/documents.ts'
import { pdfText } from '@kiln/test-support/pdf-facts.ts'
import { officeFile } from '@kiln/test-support/test-converter.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FormatName } from '../../src/catalog/pairs.ts'
import { bareLibreOffice, type Canary, openCanary, trustingLibreOffice } from '../fixtures/canary.ts'
import { againstPlain } from '../fixtures/plain-engine.ts'
import { openWarmOffice, type WarmOffice } from '../fixtures/warm-office.ts'

// Each starts programs; a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

// Documents that try to escape from their converter. Each runs twice: without a sandbox, where it must succeed, and
// through the engine in its sandbox, where it must not. There a child of the fork server converts every document that
// reaches LibreOffice; cases that need a separate LibreOffice are marked.

const plainEngine = againstPlain('libreoffice-core')
let kiln: WarmOffice
let canary: Canary
beforeAll(async () => {
  kiln = await openWarmOffice()
  canary = await openCanary()
})
afterAll(async () => {
  await canary.close()
  await kiln.close()
})
beforeEach(() => canary.forget())
afterEach(() => expect(kiln.takeWays()).not.toContain('cold'))

const picturesIn = async (pdf: string): Promise<number> => {
  const { stdout } = await promisify(execFile)('pdfimages', ['-list', pdf])
  return stdout.trim().split('\n').length - 2
}

/** Converts in the sandbox. `failed` for an expected failure, whose message must not mention the host. */
async function convert(content: Buffer | string, from: FormatName): Promise<string | 'failed'> {
  try {
    return await kiln.convert(content, from, 'pdf')
  } catch (error) {
    expect(String(error)).not.toMatch(/\/tmp\/|\/home|\/root|kiln-/)
    return 'failed'
  }
}

const linkedPicture = (target: string) =>
  docxWith(
    '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="p"/><a:graphic>' +
      '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr>' +
      '<pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="rl"/>' +
      '<a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/>' +
      '<a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>' +
      `</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>${paragraph('text')}`,
    { relationships: [{ id: 'rl', type: 'image', target, external: true }] },
  )

const frame = (href: string, element = 'image') =>
  `<text:p><draw:frame svg:width="3cm" svg:height="3cm"><draw:${element} xlink:href="${href}" ` +
  `xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame>text</text:p>`

describe('pictures from the network', () => {
  test('linked in a docx', async () => {
    const attack = linkedPicture(canary.url)
    await plainEngine(async () => {
      await bareLibreOffice(attack, 'attack.docx', canary)
      expect(canary.hits()).toBeGreaterThan(0)
    })
    canary.forget()
    await convert(attack, 'docx')
    expect(kiln.takeWays()).toEqual(['warm'])
    // Comments in the margin need a separate LibreOffice.
    await kiln.convert(attack, 'docx', 'pdf', { options: { comments: 'shown' } })
    expect(kiln.takeWays()).toEqual(['cold'])
    expect(canary.hits()).toBe(0)
  })

  test('linked in an odt', async () => {
    const attack = openDocument('text', frame(canary.url))
    await plainEngine(async () => {
      await bareLibreOffice(attack, 'attack.odt', canary)
      expect(canary.hits()).toBeGreaterThan(0)
    })
    canary.forget()
    await convert(attack, 'odt')
    expect(canary.hits()).toBe(0)
  })

  test('linked in flat OpenDocument', async () => {
    const attack = flatDocument('text', frame(canary.url))
    await plainEngine(async () => {
      await bareLibreOffice(attack, 'attack.fodt', canary)
      expect(canary.hits()).toBeGreaterThan(0)
    })
    canary.forget()
    await convert(attack, 'fodt')
    await kiln.convert(attack, 'fodt', 'odt')
    await kiln.convert(attack, 'fodt', 'md')
    expect(await kiln.failure(attack, 'docx', 'pdf')).toMatch(/^wrong-format: /)
    expect(canary.hits()).toBe(0)
  })

  test('in a web page that calls itself a document', async () => {
    const attack = `<html><body background="${canary.url}"><table background="${canary.url}"><tr><td>x</table><img src="${canary.url}"></body></html>`
    await plainEngine(async () => {
      await bareLibreOffice(attack, 'attack.html', canary)
      expect(canary.hits()).toBeGreaterThan(0)
    })
    canary.forget()
    expect(await kiln.failure(attack, 'doc', 'pdf')).toMatch(/^wrong-format: /)
    // As text it is text: the filter is forced.
    expect(await pdfText(await kiln.convert(attack, 'txt', 'pdf'))).toContain('<html>')
    expect(canary.hits()).toBe(0)
  })
})

describe('files of the host', () => {
  test('a picture linked in a docx', async () => {
    const attack = linkedPicture(canary.pictureUrl)
    await plainEngine(async () => {
      const bare = await bareLibreOffice(attack, 'attack.docx', canary)
      expect(await picturesIn(bare.pdf ?? '')).toBeGreaterThan(0)
    })
    const pdf = await convert(attack, 'docx')
    if (pdf !== 'failed') expect(await picturesIn(pdf)).toBe(0)
  })

  test('a picture linked in an odt', async () => {
    const attack = openDocument('text', frame(canary.pictureUrl))
    await plainEngine(async () => {
      const bare = await bareLibreOffice(attack, 'attack.odt', canary)
      expect(await picturesIn(bare.pdf ?? '')).toBeGreaterThan(0)
    })
    const pdf = await convert(attack, 'odt')
    if (pdf !== 'failed') expect(await picturesIn(pdf)).toBe(0)
  })

  test('an external entity', async () => {
    const attack = docxWith(paragraph('before &secret; after'), {
      prologue: '<!DOCTYPE x [<!ENTITY secret SYSTEM "file:///etc/hostname">]>',
    })
    const host = (await readFile('/etc/hostname', 'utf8')).trim()
    // LibreOffice itself takes the file for broken; the row guards against a version that does not.
    await plainEngine(async () =>
      expect((await bareLibreOffice(attack, 'attack.docx', canary)).pdf).toBeUndefined(),
    )
    const pdf = await convert(attack, 'docx')
    if (pdf !== 'failed') expect(await pdfText(pdf)).not.toContain(`before ${host}`)
  })

  test('no path of the host in the PDF', async () => {
    const pdf = await convert(docxWith(paragraph('plain')), 'docx')
    expect(pdf).not.toBe('failed')
    expect((await readFile(pdf)).includes('kiln-')).toBe(false)
  })
})

describe('programs in documents', () => {
  test('a macro that starts with the document', async () => {
    // By default LibreOffice would ask first; configured to trust everything, it runs the macro. The macro changes the
    // document's text, which shows whether it ran.
    const attack = await officeFile('macro.odt')
    await plainEngine(async () => expect(await trustingLibreOffice(attack, canary)).toContain('MACRO RAN'))
    expect(await pdfText(await convert(attack, 'odt'))).toContain('only text')
  })
})

describe('entities', () => {
  test('in flat OpenDocument', async () => {
    const attack = flatDocument('text', '<text:p>a&x;b</text:p>').replace(
      '?>',
      '?><!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    )
    for (const to of ['odt', 'md'] as const)
      expect(await kiln.failure(attack, 'fodt', to)).toMatch(/^corrupt-input: /)
  })

  test('that grow a billion times', async () => {
    const entities = Array.from(
      { length: 9 },
      (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
    ).join('')
    const attack = docxWith(paragraph('&e9;'), { prologue: `<!DOCTYPE x [<!ENTITY e0 "lol">${entities}]>` })
    // Without a sandbox it is refused as well, without a PDF and without an error; here the job reports the reason.
    await plainEngine(async () =>
      expect((await bareLibreOffice(attack, 'attack.docx', canary)).pdf).toBeUndefined(),
    )
    expect(await kiln.failure(attack, 'docx', 'pdf')).toMatch(/^(corrupt-input|too-complex|timeout): /)
  })
})

describe('bombs end within their limit', { tags: 'slow' }, () => {
  let short: WarmOffice
  beforeAll(async () => {
    short = await openWarmOffice({ wallSeconds: 3 })
  })
  afterEach(() => expect(short.takeWays()).not.toContain('cold'))
  afterAll(() => short.close())

  test('400 tables in one another, forty times', async () => {
    const open = '<w:tbl><w:tr><w:tc>'
    const close = '<w:p/></w:tc></w:tr></w:tbl>'
    const attack = docxWith(`${open.repeat(400)}${close.repeat(400)}<w:p/>`.repeat(40))
    await plainEngine(async () =>
      expect((await bareLibreOffice(attack, 'attack.docx', canary, 3)).timedOut).toBe(true),
    )
    const started = performance.now()
    expect(await short.failure(attack, 'docx', 'pdf')).toMatch(/^timeout: /)
    expect(short.takeWays()).toEqual(['warm'])
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  test('a million rows of twenty cells in 700 bytes', async () => {
    const attack = openDocument(
      'spreadsheet',
      '<table:table table:name="t"><table:table-row table:number-rows-repeated="1048576"><table:table-cell ' +
        'table:number-columns-repeated="20" office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
    )
    await plainEngine(async () =>
      expect((await bareLibreOffice(attack, 'attack.ods', canary, 3)).timedOut).toBe(true),
    )
    expect(await short.failure(attack, 'ods', 'pdf')).toMatch(/^(timeout|too-complex): /)
  })

  test('a sheet of a million columns, and one of a million empty rows, as Markdown', async () => {
    const cell = (text: string, repeated: number) =>
      `<table:table-cell table:number-columns-repeated="${repeated}" office:value-type="string"><text:p>${text}</text:p></table:table-cell>`
    const flat = (rows: string) =>
      flatDocument('spreadsheet', `<table:table table:name="t">${rows}</table:table>`)
    const wide = flat(`<table:table-row>${cell('x', 1_000_000)}</table:table-row>`)
    const tall = flat(
      `<table:table-row>${cell('x', 1)}</table:table-row><table:table-row table:number-rows-repeated="1048574">` +
        '<table:table-cell table:number-columns-repeated="1000000"/></table:table-row>' +
        `<table:table-row>${cell('y', 1)}</table:table-row>`,
    )
    // LibreOffice supports 16,384 columns.
    const columns = (await readFile(await kiln.convert(wide, 'fods', 'md'), 'utf8')).split('|').length
    expect(columns).toBeLessThan(40_000)
    expect(await readFile(await kiln.convert(tall, 'fods', 'md'), 'utf8')).toBe(
      '## t\n\n| x |\n| --- |\n| y |\n\n',
    )
  })

  test('sixty thousand pages in a small archive', async () => {
    const attack = docxWith('<w:p><w:r><w:br w:type="page"/></w:r></w:p>'.repeat(60_000))
    expect(attack.length).toBeLessThan(30_000)
    await plainEngine(async () =>
      expect((await bareLibreOffice(attack, 'attack.docx', canary, 3)).timedOut).toBe(true),
    )
    expect(await short.failure(attack, 'docx', 'pdf')).toMatch(/^(timeout|too-complex): /)
  })

  test('four million paragraphs in a small archive', async () => {
    const attack = docxWith('<w:p/>'.repeat(4_000_000))
    expect(attack.length).toBeLessThan(300_000)
    await plainEngine(async () =>
      expect((await bareLibreOffice(attack, 'attack.docx', canary, 3)).timedOut).toBe(true),
    )
    expect(await short.failure(attack, 'docx', 'pdf')).toMatch(/^too-complex: /)
  })
})

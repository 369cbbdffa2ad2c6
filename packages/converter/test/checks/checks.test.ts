import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  docx,
  docxWith,
  epub,
  odt,
  openDocument,
  paragraph,
  png,
  xlsx,
} from '@kiln/test-support/documents.ts'
import { pdfFile } from '@kiln/test-support/pdf-file.ts'
import { siblingOf } from '@kiln/test-support/siblings.ts'
import { pairOf as pairInCatalogue } from '@kiln/test-support/test-converter.ts'
import { zip } from '@kiln/test-support/zip.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FormatName, Pair } from '../../src/catalog/pairs.ts'
import { checkOutput, openReader, readSource } from '../../src/checks/index.ts'
import { ConversionFailed } from '../../src/failure.ts'
import { type OpenSandbox, openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { OpenBox } from '../../src/sandbox/waiting-box.ts'
import { createThreadPool } from '../../src/threads/thread-pool.ts'

// An output is judged by what it is; where it came from may be anything.
const pairOf = (from: FormatName, to: FormatName): Pair => ({ ...pairInCatalogue('docx', 'pdf'), from, to })

const threads = createThreadPool()
const { signal } = new AbortController()
let opened: OpenSandbox
let preferred: string
let jobs: string
beforeAll(async () => {
  opened = await openSandbox({ allowUnsandboxed: false, log: { info: () => {}, warn: () => {} } })
  preferred = await mkdtemp(join(tmpdir(), 'kiln-checks-'))
  jobs = await opened.scratchRoot(preferred)
})
afterAll(async () => {
  await threads.close()
  await opened.close()
  for (const folder of [jobs, preferred]) await rm(folder, { recursive: true, force: true })
})

async function job(): Promise<{ inputPath: string; out: string }> {
  const folder = await mkdtemp(join(jobs, 'checked-'))
  await mkdir(join(folder, 'out'))
  return { inputPath: join(folder, 'input'), out: join(folder, 'out') }
}

/** `good`, or the failure as a job's error reads. */
async function verdict(
  output: Buffer | string,
  to: FormatName,
  input: { content: Buffer | string; from: FormatName } = { content: 'words', from: 'docx' },
): Promise<string> {
  const { inputPath, out } = await job()
  await writeFile(inputPath, input.content)
  const path = join(out, 'output')
  await writeFile(path, output)
  const pair = pairOf(input.from, to)
  const boxes: OpenBox[] = []
  const reader = openReader(pair, {
    ...{ folder: out, sandbox: opened.sandbox, signal },
    async open(program, folders) {
      const box = await opened.sandbox.open(program, folders)
      boxes.push(box)
      return box
    },
  })
  try {
    const inThread = threads.forFile({ bytes: output.length, signal })
    const { remarks = [] } = await checkOutput(path, pair, {
      ...{ sandbox: opened.sandbox, inThread, signal, isPart: false, declared: {} },
      source: readSource(inputPath, pair, inThread),
      reader,
    })
    return ['good', ...remarks].join(': ')
  } catch (error) {
    if (error instanceof ConversionFailed) return `${error.word}: ${error.message}`
    throw error
  } finally {
    // A box that is being built has to be there to be ended.
    await reader?.catch(() => {})
    for (const box of boxes) await box.end()
  }
}

/** A PDF of one page with the given drawing, written by the book. */
const saying = (text: string) => `BT /F 4 Tf 10 100 Td (${text}) Tj ET`

function pdf(drawing: string): string {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const start = text.length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  return `${text}xref\n0 5\n0000000000 65535 f \n${rows}trailer << /Size 5 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
}

const written = pdf('BT /F 20 Tf 20 100 Td (Hello) Tj ET')

/** Eight pages with a caption each, and one that says something. */
function longPdf(last: string): Buffer {
  const page = (content: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents ${content} 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>`
  const contents = [...Array<number>(8).fill(3), 4]
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${contents.map((_, index) => `${index + 5} 0 R`).join(' ')}] /Count 9 >>`,
    ...['Figure', last].map((text) => ({ dictionary: '', stream: saying(text) })),
    ...contents.map(page),
  ])
}

const eightWords = 'orchard barley harvest village winter market letter account'

describe('good outputs pass', () => {
  test.each<[string, FormatName, () => Buffer | string]>([
    ['a PDF', 'pdf', () => written],
    ['a docx', 'docx', () => docx('Hello')],
    ['an odt', 'odt', () => withStyles(odt('Hello'))],
    ['an xlsx', 'xlsx', () => xlsx({ rows: [['Hello']] })],
    ['csv', 'csv', () => 'Grüße,1\r\n'],
    ['an epub', 'epub', () => epub('<p>Hello</p>')],
    ['html', 'html', () => '<p>Grüße</p>'],
    ['md', 'md', () => '# Grüße'],
  ])('%s', async (_, to, make) => {
    expect(await verdict(make(), to)).toBe('good')
  })

  test.each<[FormatName, string]>([
    [
      'md',
      `<p align="center"><img alt="" width="40" src="data:image/png;base64,${'iVBOR/w0KG+goAAAANS/UhEUgA'.repeat(9)}"></p>`,
    ],
    [
      'latex',
      '\\documentclass[paper=landscape]{article}\\usepackage{graphicx}\\usepackage[utf8]{inputenc}' +
        '\\begin{document}\\thispagestyle{empty}\\centering\\includegraphics[width=\\textwidth]{figures/overview}\\end{document}',
    ],
  ])('a document without words, of %s that has none to show', async (from, content) => {
    expect(await verdict(docx(''), 'docx', { content, from })).toBe('good')
  })

  test('a blank page where the input had nothing to say', async () => {
    expect(await verdict(pdf(''), 'pdf', { content: ' \n ', from: 'txt' })).toBe('good')
  })
})

// The fixture's odt has no styles; pandoc's and LibreOffice's have.
function withStyles(content: Buffer): Buffer {
  expect(content.length).toBeGreaterThan(0)
  return zip([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', stored: true },
    {
      name: 'content.xml',
      content:
        '<office:document-content xmlns:office="o"><office:body><office:text/></office:body></office:document-content>',
    },
    { name: 'styles.xml', content: '<s/>' },
    { name: 'META-INF/manifest.xml', content: '<m/>' },
  ])
}

test('words of the source count on whichever page they are', async () => {
  const input = { content: eightWords, from: 'txt' } as const
  expect(await verdict(longPdf('In winter the village'), 'pdf', input)).toBe('good')
  expect(await verdict(longPdf('something else'), 'pdf', input)).toMatch(/^internal: /)
})

describe('bad outputs are never done', () => {
  test.each<[string, FormatName, () => Buffer | string]>([
    ['not a PDF at all', 'pdf', () => 'PK####'],
    ['a PDF that is cut off', 'pdf', () => written.slice(0, 120)],
    ['a PDF without pages', 'pdf', () => written.replace('[3 0 R] /Count 1', '[] /Count 0')],
    ['a docx without a document', 'docx', () => zip([{ name: '[Content_Types].xml', content: '<x/>' }])],
    ['a docx that is not well formed', 'docx', () => docxWith('<w:p><w:r></w:p>')],
    [
      'a docx that refers to a missing picture',
      'docx',
      () =>
        docxWith(paragraph('x'), { relationships: [{ id: 'r', type: 'image', target: 'media/none.png' }] }),
    ],
    ['a docx that is cut off', 'docx', () => docx('Hello').subarray(0, 300)],
    ['a text instead of a workbook', 'xlsx', () => docx('Hello')],
    ['a docx with macros', 'docx', () => siblingOf(docx('Hello'), 'docm')],
    ['slides without any', 'pptx', () => zip([{ name: '[Content_Types].xml', content: '<x/>' }])],
    ['a text instead of slides', 'odp', () => withStyles(odt('Hello'))],
    ['a sheet instead of a text', 'odt', () => openDocument('spreadsheet', '')],
    [
      'an epub whose package file is missing',
      'epub',
      () =>
        zip([
          { name: 'mimetype', content: 'application/epub+zip', stored: true },
          {
            name: 'META-INF/container.xml',
            content: '<container><rootfile full-path="none.opf"/></container>',
          },
        ]),
    ],
    ['blank text', 'md', () => ' \n'],
    ['text with zero bytes', 'html', () => 'a\0b'],
    ['text that is not UTF-8', 'rst', () => Buffer.from([0x61, 0xff, 0x62])],
    ['a picture instead of a film', 'mp4', () => png],
  ])('%s', async (_, to, make) => {
    expect(await verdict(make(), to)).toMatch(/^internal: /)
  })

  test.each<[FormatName, Buffer | string]>([
    ['docx', docx('Something else')],
    ['md', 'Something else'],
  ])('%s that says nothing of what its source says', async (to, output) => {
    const source = { content: odt(sentence), from: 'odt' } as const
    expect(await verdict(output, to, source)).toMatch(/^internal: /)
    expect(await verdict(to === 'md' ? 'And before that' : docx('And before that'), to, source)).toMatch(
      /^good: Most words of the source are not in the output/,
    )
    expect(await verdict(to === 'md' ? sentence : docx(sentence), to, source)).toBe('good')
  })

  const sentence = 'These words were written down by hand before anybody thought of printing them'
  test.each<[FormatName, Buffer | string]>([
    ['txt', sentence],
    ['md', sentence],
    ['html', `<!doctype html><title>t</title><p>${sentence}`],
    ['docx', docx(sentence)],
    ['odt', odt(sentence)],
    ['xlsx', xlsx({ rows: sentence.split(' ').map((word) => [word]) })],
    ['docx', docx('Это предложение написано от руки, прежде чем кто-либо подумал о печати книги')],
    ['docx', docx('这些文字是在任何人想到印刷之前用手写下来的文字')],
  ])('a blank PDF though the %s has words', async (from, content) => {
    expect(await verdict(pdf(''), 'pdf', { content, from })).toMatch(/^internal: /)
    expect(await verdict(pdf(saying('quite another text')), 'pdf', { content, from })).toMatch(/^internal: /)
  })

  const drawn = '<draw:rect svg:x="5cm" svg:y="5cm" svg:width="4cm" svg:height="4cm"/>'
  const framed = '<draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame>'
  const onPage = (shapes: string) => `<draw:page>${shapes}</draw:page>`
  const officeFile = (name: string) =>
    readFile(new URL(`../../../test-support/src/office/${name}`, import.meta.url))

  describe('a PDF without ink though the source shows something', () => {
    test.each<[FormatName, string, () => Buffer | string | Promise<Buffer>]>([
      ['doc', 'a letter', () => officeFile('letter.doc')],
      ['ppt', 'slides', () => officeFile('slides.ppt')],
      ['xls', 'a table', () => officeFile('table.xls')],
      ['rtf', 'a letter', () => officeFile('letter.rtf')],
      ['rtf', 'a picture', () => '{\\rtf1{\\fonttbl{\\f0 Arial;}}{\\*\\shppict{\\pict\\pngblip 89504e47}}}'],
      ['odg', 'a rectangle', () => openDocument('drawing', onPage(drawn))],
      ['odp', 'a picture', () => openDocument('presentation', onPage(framed))],
      [
        'docx',
        'a picture',
        () => docxWith('<w:p><w:r><w:drawing><a:blip r:embed="r"/></w:drawing></w:r></w:p>'),
      ],
      ['docx', 'Arabic', () => docx('مرحبا بالعالم')],
      ['txt', 'Thai', () => 'สวัสดีชาวโลก'],
      ['xlsx', 'numbers', () => xlsx({ rows: [], cells: '<row r="1"><c r="A1"><v>12</v></c></row>' })],
      ['epub', 'a chapter', () => epub('<p>A chapter</p>')],
    ])('%s, %s', async (from, _, make) => {
      const content = await make()
      expect(await verdict(pdf(''), 'pdf', { content, from })).toMatch(/^internal: /)
      expect(await verdict(pdf('50 50 1 1 re f'), 'pdf', { content, from })).toBe('good')
    })
  })

  test.each<[FormatName, string, Buffer | string]>([
    ['docx', 'without a word', docxWith('<w:p/>')],
    [
      'docx',
      'with hidden words',
      docxWith(`<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>${sentence}</w:t></w:r></w:p>`),
    ],
    ['odg', 'without a shape', openDocument('drawing', onPage(''))],
    [
      'odp',
      'with notes alone',
      openDocument(
        'presentation',
        onPage(`<presentation:notes><text:p>${sentence}</text:p></presentation:notes>`),
      ),
    ],
    [
      'rtf',
      'without a word',
      '{\\rtf1{\\fonttbl{\\f0 Liberation Sans;}}{\\stylesheet{\\s0 Normal;}}{\\*\\generator A writer;}\\par }',
    ],
    [
      'xlsx',
      'with a hidden column',
      xlsx({ before: '<cols><col min="1" max="1" hidden="1"/></cols>', rows: [['Word']] }),
    ],
    ['html', 'with hidden words', `<!doctype html><p style="display: none">${sentence}`],
  ])('a blank PDF is good for a %s %s', async (from, _, content) => {
    expect(await verdict(pdf(''), 'pdf', { content, from })).toBe('good')
  })

  test('paper of one colour is no ink, but may be a drawing as white as its paper', async () => {
    const paper = pdf('1 1 1 rg 0 0 200 200 re f')
    const slides = { content: await officeFile('slides.ppt'), from: 'ppt' } as const
    const drawing = { content: openDocument('drawing', onPage(drawn)), from: 'odg' } as const
    expect(await verdict(paper, 'pdf', slides)).toMatch(/^internal: /)
    expect(await verdict(paper, 'pdf', drawing)).toBe('good')
  })

  test('a document that contradicts itself is to blame for what it lacks', async () => {
    const content = await officeFile('slides.ppt')
    // The last edit names one before it that comes after it.
    const edit = content.lastIndexOf(Buffer.from([0, 0, 0xf5, 0x0f, 0x1c, 0, 0, 0]))
    content.writeUInt32LE(0x7fffffff, edit + 16)
    expect(await verdict(pdf(''), 'pdf', { content, from: 'ppt' })).toMatch(/^corrupt-input: /)
    expect(await verdict(pdf('50 50 1 1 re f'), 'pdf', { content, from: 'ppt' })).toBe('good')
  })

  test('an output that takes too much to look through is too complex, and not bad', async () => {
    const bomb = docxWith('', { entries: [{ name: 'word/media/a.xml', content: Buffer.alloc(20 << 20) }] })
    expect(await verdict(bomb, 'docx', { content: 'words', from: 'md' })).toMatch(/^too-complex: /)
  })

  test('a PDF that says the same', async () => {
    expect(await verdict(pdf(saying(sentence)), 'pdf', { content: docx(sentence), from: 'docx' })).toBe(
      'good',
    )
  })

  test('a blank PDF though a short text has a word', async () => {
    expect(await verdict(pdf(''), 'pdf', { content: 'words', from: 'txt' })).toMatch(/^internal: /)
  })

  test('what the sentence says names no path of the host', async () => {
    expect(await verdict('PK####', 'pdf')).not.toMatch(/\/|kiln-/)
  })
})

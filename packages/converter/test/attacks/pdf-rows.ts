import { deflateSync } from 'node:zlib'
import { onePage, type PdfObject, pdfFile } from '@kiln/test-support/pdf-file.ts'

// PDFs made to eat time, memory or the log. Each ends within the limits: converted, or failed with a word.

export interface PdfRow {
  name: string
  /** The word it fails with; undefined where the honest part is converted. */
  fails?: string
  /** Either is right: it depends on the machine which limit comes first. */
  mayFail?: readonly string[]
  keeps?: string
  /** Maximum duration of the row in seconds; the limit of a conversion is much higher. */
  within: number
  file(): Buffer
}

const catalogue = '<< /Type /Catalog /Pages 2 0 R >>'
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const honest = 'BT /F1 24 Tf 72 720 Td (Honest text) Tj ET\n'
const mebibyte = 1024 * 1024

const stream = (data: Uint8Array | string, dictionary = ''): PdfObject => ({
  dictionary: `${dictionary} /Filter /FlateDecode`,
  stream: deflateSync(data),
})

const page = (contents: string, resources = ''): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${contents} /Resources << /Font << /F1 5 0 R >> ${resources} >> >>`

/** One page with this content; `more` follows as objects 6 and on. */
const onlyPage = (content: string, resources = '', ...more: PdfObject[]): Buffer =>
  pdfFile([
    catalogue,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    page('4 0 R', resources),
    stream(content),
    font,
    ...more,
  ])

/** Zeros packed a thousand to one; a second packing makes it a million to one. */
function zeros(size: number): Buffer {
  return deflateSync(Buffer.alloc(size))
}

export const pdfRows: readonly PdfRow[] = [
  {
    name: 'letters a billion points tall',
    keeps: 'Honest text',
    within: 30,
    file: () =>
      onlyPage(
        honest +
          Array.from(
            { length: 40 },
            (_, i) => `BT /F1 1 Tf 1000000000 0 0 1000000000 500 ${700 - 16 * i} Tm (A) Tj ET`,
          ).join('\n'),
      ),
  },
  {
    name: 'a page tree that names one node in ten levels of ten',
    // PDFium treats such a tree as one without pages.
    mayFail: ['too-complex', 'corrupt-input'],
    within: 60,
    file: () =>
      pdfFile([
        '<< /Type /Catalog /Pages 2 0 R >>',
        ...Array.from({ length: 9 }, (_, i) => {
          const count = 10 ** (9 - i)
          return `<< /Type /Pages /Count ${count} /Kids [${`${i + 3} 0 R `.repeat(10)}] ${i > 0 ? `/Parent ${i + 1} 0 R` : ''} >>`
        }),
        '<< /Type /Page /Parent 10 0 R /MediaBox [0 0 612 792] >>',
      ]),
  },
  {
    name: 'a page tree that contains itself',
    mayFail: ['corrupt-input'],
    within: 30,
    file: () =>
      pdfFile([
        catalogue,
        '<< /Type /Pages /Count 5 /Kids [2 0 R 3 0 R] >>',
        page('4 0 R'),
        stream(honest),
        font,
      ]),
  },
  {
    name: 'more pages than anyone converts at once',
    fails: 'too-complex',
    within: 60,
    file: () =>
      pdfFile([
        catalogue,
        `<< /Type /Pages /Count 20000 /Kids [${'3 0 R '.repeat(20_000)}] >>`,
        page('4 0 R'),
        stream(honest),
        font,
      ]),
  },
  {
    name: 'two million strokes on one page',
    keeps: 'Honest text',
    mayFail: ['too-complex', 'timeout'],
    within: 60,
    file: () => onlyPage(honest + '0 0 m 9 9 l S\n'.repeat(2_000_000)),
  },
  {
    name: 'one path of two million curves',
    keeps: 'Honest text',
    mayFail: ['too-complex', 'timeout'],
    within: 60,
    file: () => onlyPage(`${honest}0 0 m\n${'1 2 300 400 500 600 c\n'.repeat(2_000_000)}S\n`),
  },
  {
    name: 'forms that draw forms, ten to the twelfth times',
    keeps: 'Honest text',
    mayFail: ['too-complex', 'timeout'],
    within: 60,
    file: () => {
      const depth = 12
      const form = (inner: number | undefined): PdfObject =>
        stream(
          inner === undefined ? '0 0 m 9 9 l S\n' : '/X Do '.repeat(10),
          `/Type /XObject /Subtype /Form /BBox [0 0 612 792] ${inner === undefined ? '' : `/Resources << /XObject << /X ${inner} 0 R >> >>`}`,
        )
      return onlyPage(
        `${honest}/X Do\n`,
        '/XObject << /X 6 0 R >>',
        ...Array.from({ length: depth }, (_, i) => form(i === depth - 1 ? undefined : 7 + i)),
      )
    },
  },
  {
    name: 'a form that draws itself',
    keeps: 'Honest text',
    within: 30,
    file: () =>
      onlyPage(
        `${honest}/X Do\n`,
        '/XObject << /X 6 0 R >>',
        stream(
          '/X Do\n',
          '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X 6 0 R >> >>',
        ),
      ),
  },
  {
    name: 'a content stream of a gibibyte of zeros, packed twice',
    mayFail: ['too-complex', 'timeout', 'corrupt-input'],
    within: 60,
    file: () => {
      const part: PdfObject = {
        dictionary: '/Filter [/FlateDecode /FlateDecode]',
        stream: deflateSync(zeros(64 * mebibyte)),
      }
      const parts = Array.from({ length: 16 }, () => part)
      return pdfFile([
        catalogue,
        '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        page(`[4 0 R ${parts.map((_, i) => `${6 + i} 0 R`).join(' ')}]`),
        stream(honest),
        font,
        ...parts,
      ])
    },
  },
  {
    name: 'arrays within arrays, a hundred thousand deep',
    mayFail: ['too-complex', 'corrupt-input'],
    within: 60,
    file: () =>
      pdfFile([
        `<< /Type /Catalog /Pages 2 0 R /X ${'['.repeat(100_000)}${']'.repeat(100_000)} >>`,
        '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        page('4 0 R'),
        stream(honest),
        font,
      ]),
  },
  {
    name: 'errors enough to flood the log',
    keeps: 'Honest text',
    within: 120,
    file: () =>
      onlyPage(`${honest}${'[[[[<</A (unclosed >> /Nowhere Do /None gs nonsense\n'.repeat(300_000)}`),
  },
  {
    name: 'an object stream that unpacks to nothing but names',
    mayFail: ['too-complex', 'corrupt-input', 'timeout'],
    within: 60,
    file: () =>
      onlyPage(honest, '', stream('/Name '.repeat(20_000_000), '/Type /ObjStm /N 1000000 /First 10')),
  },
  {
    name: 'a picture of a hundred thousand pixels square',
    keeps: 'Honest text',
    mayFail: ['too-complex'],
    within: 120,
    file: () =>
      onlyPage(
        `${honest}q 500 0 0 500 50 50 cm /Im Do Q\n`,
        '/XObject << /Im 6 0 R >>',
        stream(
          Buffer.alloc(mebibyte),
          '/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /ColorSpace /DeviceRGB /BitsPerComponent 8',
        ),
      ),
  },
  {
    name: 'a page a thousand kilometres wide',
    mayFail: ['too-complex', 'unsupported', 'corrupt-input'],
    within: 60,
    file: () =>
      pdfFile([
        catalogue,
        '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 2834645669 2834645669] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
        stream(honest),
        font,
      ]),
  },
  {
    name: 'a million characters on one page',
    fails: 'too-complex',
    within: 120,
    file: () => onePage(`BT /F1 1 Tf 72 720 Td ${`(${'x'.repeat(1000)}) Tj\n`.repeat(1000)} ET`),
  },
  {
    name: 'bookmarks that follow each other in a ring',
    keeps: 'Honest text',
    within: 30,
    file: () =>
      pdfFile([
        '<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R >>',
        '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        page('4 0 R'),
        stream(honest),
        font,
        '<< /Type /Outlines /First 7 0 R /Last 8 0 R /Count 2 >>',
        '<< /Title (a) /Parent 6 0 R /Next 8 0 R /First 8 0 R >>',
        '<< /Title (b) /Parent 6 0 R /Next 7 0 R /First 7 0 R >>',
      ]),
  },
  {
    name: 'a structure tree that contains itself',
    keeps: 'Honest text',
    within: 30,
    file: () =>
      pdfFile([
        '<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 6 0 R >>',
        '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        page('4 0 R'),
        stream(honest),
        font,
        '<< /Type /StructTreeRoot /K 7 0 R >>',
        '<< /Type /StructElem /S /Sect /P 6 0 R /K [7 0 R 7 0 R 7 0 R] >>',
      ]),
  },
]

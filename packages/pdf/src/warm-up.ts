import { convertPdf } from './convert.ts'
import { loadPdfium } from './read/pdfium.ts'

// Converts a warm-up document, so that a pre-warmed process has compiled PDFium and the code paths of most documents.

const sentence = 'The orchard gave more apples than the year before, and the harvest took three weeks.'

const lines = [
  { size: 20, y: 780, text: 'Report of the year' },
  { size: 14, y: 740, text: '1 Harvest' },
  ...Array.from({ length: 24 }, (_, index) => ({ size: 11, y: 715 - index * 14, text: sentence })),
  ...['one', 'two', 'three'].map((text, index) => ({ size: 11, y: 350 - index * 14, text: `- ${text}` })),
]

function samplePdf(): Uint8Array {
  const content = lines
    .map(({ size, y, text }) => `BT /F1 ${size} Tf 1 0 0 1 60 ${y} Tm (${text}) Tj ET`)
    .join('\n')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 5 0 R/Resources<</Font<</F1 4 0 R>>>>>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj${object}endobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const trailer = `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(
    `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`,
    'latin1',
  )
}

/** A generator, so that the caller can stop. One conversion: more would cost more than they save. */
export function* warmUp(): Generator<() => Promise<unknown>> {
  yield loadPdfium
  yield () => convertPdf(samplePdf(), 'docx', { pictures: 'mark' })
}

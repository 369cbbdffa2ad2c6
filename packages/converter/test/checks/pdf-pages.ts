import { pdfFile } from '@kiln/test-support/pdf-file.ts'

/** A PDF of one page with the given drawing, written by the book. */
export const saying = (text: string) => `BT /F 4 Tf 10 100 Td (${text}) Tj ET`

export function pdf(drawing: string): string {
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

/** Eight pages with only a caption, and one with text. */
export function longPdf(last: string): Buffer {
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

// PDF files written by hand, object by object. The first object is the catalogue.

export type PdfObject = string | { dictionary: string; stream: Uint8Array | string }

export function pdfFile(objects: readonly PdfObject[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  let length = parts[0]?.length ?? 0
  const add = (data: Uint8Array | string): void => {
    const part = Buffer.from(data as string)
    parts.push(part)
    length += part.length
  }
  const offsets: number[] = []
  for (const [i, object] of objects.entries()) {
    offsets.push(length)
    add(`${i + 1} 0 obj\n`)
    if (typeof object === 'string') add(object)
    else {
      const stream = Buffer.from(object.stream as string)
      add(`<< ${object.dictionary} /Length ${stream.length} >>\nstream\n`)
      add(stream)
      add('\nendstream')
    }
    add('\nendobj\n')
  }
  const table = offsets.map((o) => `${String(o).padStart(10, '0')} 00000 n \n`).join('')
  const start = length
  add(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  )
  return Buffer.concat(parts)
}

/** One page of US letter with the given content; `more` follows as objects 6 and on. */
export function onePage(content: string, page = '', more: readonly PdfObject[] = []): Buffer {
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ${page} >>`,
    { dictionary: '', stream: content },
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...more,
  ])
}

/** A page that is a picture: `jpeg` of the given size in pixels covers it. `width` is that of the page in points. */
export function scannedPage(
  jpeg: Uint8Array,
  pixels: { width: number; height: number },
  width = 612,
): Buffer {
  const height = (width * pixels.height) / pixels.width
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /XObject << /Im 5 0 R >> >> >>`,
    { dictionary: '', stream: `q ${width} 0 0 ${height} 0 0 cm /Im Do Q` },
    {
      dictionary: `/Type /XObject /Subtype /Image /Width ${pixels.width} /Height ${pixels.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`,
      stream: jpeg,
    },
  ])
}

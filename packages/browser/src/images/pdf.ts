import { eachStrip, type Pixels } from './pixels.ts'

// A PDF with one page of the size of the image at 96 pixels per inch, as browsers and SVG count them.

const pointsPerPixel = 72 / 96
/** Longest side of a page in PDF 1.7, in points. */
const longestPage = 14_400

/** Embeds the JPEG, or else the pixels without loss. Pixels are opaque. */
export async function pdfFile(
  pixels: Pixels,
  jpeg: Blob | null,
  onProgress: (fraction: number) => void,
): Promise<Blob> {
  const { width, height } = pixels
  const scale = Math.min(pointsPerPixel, longestPage / Math.max(width, height))
  const [pageWidth, pageHeight] = [width, height].map((side) => (side * scale).toFixed(2))
  const image = jpeg ?? (await deflated(pixels, onProgress))
  const filter = jpeg ? '/DCTDecode' : '/FlateDecode'
  const drawing = `q ${pageWidth} 0 0 ${pageHeight} 0 0 cm /Image Do Q`
  return document([
    ['<< /Type /Catalog /Pages 2 0 R >>'],
    ['<< /Type /Pages /Kids [3 0 R] /Count 1 >>'],
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] /Contents 4 0 R ` +
        '/Resources << /XObject << /Image 5 0 R >> >> >>',
    ],
    stream('', new Blob([drawing])),
    stream(
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ` +
        `/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter ${filter} `,
      image,
    ),
  ])
}

const stream = (entries: string, content: Blob): BlobPart[] => [
  `<< ${entries}/Length ${content.size} >>\nstream\n`,
  content,
  '\nendstream',
]

/** The objects are numbered from 1; the first is the catalog. */
function document(objects: readonly BlobPart[][]): Blob {
  const parts: Blob[] = [new Blob(['%PDF-1.7\n%', new Uint8Array([0xe2, 0xe3, 0xcf, 0xd3]), '\n'])]
  const offsets: number[] = []
  let length = (parts[0] as Blob).size
  for (const [index, object] of objects.entries()) {
    const part = new Blob([`${index + 1} 0 obj\n`, ...object, '\nendobj\n'])
    offsets.push(length)
    length += part.size
    parts.push(part)
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}`
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`
  return new Blob([...parts, table, trailer], { type: 'application/pdf' })
}

/** RGB compressed with zlib, as FlateDecode expects it. */
async function deflated(pixels: Pixels, onProgress: (fraction: number) => void): Promise<Blob> {
  const compressor = new CompressionStream('deflate')
  const result = new Response(compressor.readable).blob()
  const writer = compressor.writable.getWriter()
  await eachStrip(pixels, onProgress, async (strip) => {
    const bytes = new Uint8Array((strip.length / 4) * 3)
    for (let from = 0, to = 0; from < strip.length; from += 4, to += 3) {
      bytes[to] = strip[from] as number
      bytes[to + 1] = strip[from + 1] as number
      bytes[to + 2] = strip[from + 2] as number
    }
    await writer.write(bytes)
  })
  await writer.close()
  return result
}

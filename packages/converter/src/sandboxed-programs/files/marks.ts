import { readFile, writeFile } from 'node:fs/promises'
import { failed } from '../../failure.ts'
import { type PdfPicture, readPicture } from './picture.ts'
import { nextPath, openObjects, type PdfDictionary, type PdfValue, qpdf, transform } from './qpdf.ts'
import type { Mark } from './steps.ts'

// Text, a picture or a page of another PDF under or over every page. Text and pictures become a PDF of one page, of the
// size of the document's first page; qpdf fits it to the others.

export async function addMarks(
  path: string,
  marks: readonly Mark[],
  how: 'underlay' | 'overlay',
): Promise<string> {
  let current = path
  for (const mark of marks) {
    const source = mark.source === 'pdf' ? `work/${mark.path}` : await pageOf(mark, await sizeOf(current))
    const pages = mark.pages ? [`--to=${mark.pages.replaceAll(/-(?=,|$)/g, '-z')}`] : []
    current = await transform(current, `--${how}`, source, ...pages, '--from=1', '--repeat=1', '--')
  }
  return current
}

async function sizeOf(path: string): Promise<[number, number]> {
  const { pages } = JSON.parse(await qpdf('--json=2', '--json-key=pages', path)) as {
    pages: { object: string }[]
  }
  const objects = await openObjects(path)
  let node: PdfDictionary = await objects.read(pages[0]?.object)
  while (!node['/MediaBox'] && node['/Parent']) node = await objects.read(node['/Parent'])
  const box = node['/MediaBox'] as PdfValue[] | undefined
  const [left = 0, bottom = 0, right = 612, top = 792] = (box ?? []).map(Number)
  return [right - left, top - bottom]
}

async function pageOf(mark: Mark, [width, height]: [number, number]): Promise<string> {
  const picture = mark.source === 'image' ? readPicture(await readFile(`work/${mark.path}`)) : undefined
  const content = picture ? drawPicture(mark, picture, width, height) : drawText(mark, width, height)
  const target = nextPath()
  await writeFile(target, onePage({ width, height, content, picture, opacity: mark.opacity }), { flag: 'wx' })
  return target
}

/** How wide the characters of Helvetica are at most, by their kind, for a size of one. */
const widthOf = (letter: string): number =>
  /[ijl.,:;'|!]/.test(letter) ? 0.3 : /[mwMW@%]/.test(letter) ? 0.95 : /[A-Z]/.test(letter) ? 0.78 : 0.56
/** Between a mark and the edge of the page, in points. */
const edge = 12

function drawText(
  { text = '', rotation = 45, scale = 0.6, color, position = 'c' }: Mark,
  width: number,
  height: number,
): string {
  const bytes = Buffer.from(text, 'latin1')
  if (bytes.toString('latin1') !== text)
    throw failed.unsupported('A text mark takes Latin letters only. Use an image or a PDF for other letters.')
  const units = [...text].reduce((sum, letter) => sum + widthOf(letter), 0)
  const size = (width * scale) / Math.max(1, units)
  const angle = (rotation * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const length = units * size
  const [x, y] = placeOf(position, { width, height }, { width: length, height: size }, rotation !== 0)
  const [startX, startY] = [x - (length / 2) * cos, y - (length / 2) * sin]
  const numbers = [cos, sin, -sin, cos, startX, startY].map((each) => each.toFixed(3)).join(' ')
  return `/Artifact BMC q /G gs ${rgb(color)} rg BT /F ${size.toFixed(2)} Tf ${numbers} Tm <${bytes.toString('hex')}> Tj ET Q EMC`
}

function drawPicture(
  { scale = 0.5, position = 'c' }: Mark,
  picture: PdfPicture,
  width: number,
  height: number,
): string {
  const drawn = { width: width * scale, height: (width * scale * picture.height) / picture.width }
  const [x, y] = placeOf(position, { width, height }, drawn, false)
  return `/Artifact BMC q /G gs ${drawn.width.toFixed(2)} 0 0 ${drawn.height.toFixed(2)} ${(x - drawn.width / 2).toFixed(2)} ${(y - drawn.height / 2).toFixed(2)} cm /P Do Q EMC`
}

interface Size {
  width: number
  height: number
}

/** The centre of the mark. */
function placeOf(position: string, page: Size, own: Size, isTurned: boolean): [number, number] {
  if (isTurned) return [page.width / 2, page.height / 2]
  const [x, y] = [edge + own.width / 2, edge + own.height / 2]
  return [
    position.endsWith('l') ? x : position.endsWith('r') ? page.width - x : page.width / 2,
    position.startsWith('t') ? page.height - y : position.startsWith('b') ? y : page.height / 2,
  ]
}

function rgb(color = '#808080'): string {
  const parts = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color)?.slice(1) ?? ['80', '80', '80']
  return parts.map((part) => (Number.parseInt(part, 16) / 255).toFixed(3)).join(' ')
}

interface MarkPage extends Size {
  content: string
  picture: PdfPicture | undefined
  opacity: number | undefined
}

function onePage({ width, height, content, picture, opacity = 0.5 }: MarkPage): Buffer {
  const stream = (dictionary: string, data: Buffer) =>
    Buffer.concat([
      Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`),
      data,
      Buffer.from('\nendstream'),
    ])
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /ExtGState << /G 6 0 R >>${picture ? ' /XObject << /P 7 0 R >>' : ''} >> >>`,
    ),
    stream('', Buffer.from(content)),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
    Buffer.from(`<< /Type /ExtGState /ca ${opacity} /CA ${opacity} >>`),
    ...(picture ? [stream(`${picture.dictionary}${picture.mask ? ' /SMask 8 0 R' : ''}`, picture.data)] : []),
    ...(picture?.mask ? [stream(picture.mask.dictionary, picture.mask.data)] : []),
  ]
  const parts = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  let at = parts[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    places.push(at)
    parts.push(whole)
    at += whole.length
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

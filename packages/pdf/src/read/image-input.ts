import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConversionFailure } from '../failure.ts'
import { exifOfWebp, isLossyWebp, isSideways, orientationIn, orientationMatrix } from './exif.ts'
import { exifOfJpeg, jpegShape } from './jpeg.ts'
import { exifOfPng, pngAsItIs } from './png-input.ts'

// Wraps a picture of a page as a PDF, so that all input takes the same path. JPEG data and that of most PNG files are
// embedded unchanged; a WebP with loss, which lossless compression would make several times larger, becomes a JPEG;
// tiff2pdf wraps every page of a TIFF; ffmpeg decodes the rest. All run in the engine's sandbox.

type ImageKind = 'jpeg' | 'png' | 'webp' | 'tiff'

/** In milliseconds. */
const longestDecoding = 60_000
const maxBytes = 512 * 2 ** 20
/** The same limit as for pictures within a PDF. */
const maxPixels = 160_000_000
/** The printed size of a picture is unknown: assumes A4; the longer side in points. */
const longerSide = 842
const white = 255
/** On ffmpeg's scale, from 2: it loses less (43 dB and more) than the usual WebP file did. */
const jpegQuality = '4'

interface PdfImage {
  width: number
  height: number
  bits: number
  /** Entries of the image dictionary. */
  entries: string
  data: Uint8Array
}

function kindOf(file: Uint8Array): ImageKind | undefined {
  const head = Buffer.from(file.subarray(0, 12)).toString('latin1')
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp'
  return /^(?:II[*+]\0|MM\0[*+])/.test(head) ? 'tiff' : undefined
}

/** Returns any other file unchanged. */
export function pictureAsPdf(file: Uint8Array): Uint8Array {
  const kind = kindOf(file)
  if (kind === undefined) return file
  if (kind === 'tiff') return decode(file, (input, output) => ['tiff2pdf', '-z', '-o', output, input])
  if (kind === 'jpeg') return pdfOf(wrapJpeg(file), orientationIn(exifOfJpeg(file)))
  if (kind === 'webp')
    return pdfOf(
      isLossyWebp(file) ? wrapJpeg(asJpeg(file)) : decodePixels(file, kind),
      orientationIn(exifOfWebp(file)),
    )
  return pdfOf(pngAsItIs(file, maxPixels) ?? decodePixels(file, kind), orientationIn(exifOfPng(file)))
}

function wrapJpeg(data: Uint8Array): PdfImage {
  const shape = jpegShape(data)
  const space = shape && spaces[shape.channels]
  if (!shape || !space) throw damaged()
  const { width, height, channels, isByAdobe } = shape
  const inverted = channels === 4 && isByAdobe ? ' /Decode [1 0 1 0 1 0 1 0]' : ''
  const entries = `/Filter /DCTDecode /ColorSpace ${space}${inverted}`
  return { width, height, bits: 8, data, entries }
}

/** By the number of channels. */
const spaces: Readonly<Record<number, string>> = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' }

/** Both formats store colours at half the resolution. */
function asJpeg(webp: Uint8Array): Uint8Array {
  const target = '-pix_fmt yuvj420p -c:v mjpeg -q:v'.split(' ')
  const jpeg = convertPicture(webp, 'webp_pipe', [], [...target, jpegQuality])
  const shape = jpegShape(jpeg)
  if (shape && shape.width * shape.height > maxPixels) throw tooLarge()
  return jpeg
}

/** Transparent pixels become white. */
function decodePixels(file: Uint8Array, kind: 'png' | 'webp'): PdfImage {
  const pam = convertPicture(file, `${kind}_pipe`, [], '-pix_fmt rgba -c:v pam'.split(' '))
  const head = /^P7\nWIDTH (\d+)\nHEIGHT (\d+)\n(?:[A-Z]+ \w+\n)*ENDHDR\n/.exec(
    Buffer.from(pam.subarray(0, 200)).toString('latin1'),
  )
  if (!head) throw damaged()
  const [width, height] = [Number(head[1]), Number(head[2])]
  if (width * height > maxPixels) throw tooLarge()
  const rgb = new Uint8Array(width * height * 3)
  for (let from = head[0].length, to = 0; to < rgb.length; from += 4, to += 3) {
    const alpha = pam[from + 3] as number
    for (let i = 0; i < 3; i++)
      rgb[to + i] = white - Math.round(((white - (pam[from + i] as number)) * alpha) / white)
  }
  return compressed(rgb, width, height)
}

/** As PNG data: its filters make pictures much smaller than compression alone. */
function compressed(rgb: Uint8Array, width: number, height: number): PdfImage {
  const isGrey = rgb.every((value, i) => value === rgb[i - (i % 3)])
  const pixels = isGrey ? Uint8Array.from({ length: rgb.length / 3 }, (_, i) => rgb[3 * i] as number) : rgb
  const shape = ['-pixel_format', isGrey ? 'gray' : 'rgb24', '-video_size', `${width}x${height}`]
  const target = '-c:v png -pred mixed -compression_level 9'.split(' ')
  const png = convertPicture(pixels, 'rawvideo', shape, target)
  const image = pngAsItIs(png, maxPixels)
  if (!image) throw damaged()
  return image
}

/** By ffmpeg. The page applies Exif's orientation; some versions of ffmpeg would apply it as well. */
const convertPicture = (file: Uint8Array, demuxer: string, shape: string[], target: string[]): Uint8Array =>
  decode(file, (input, output) => {
    const source = ['-noautorotate', '-f', demuxer, ...shape, '-i', input, '-frames:v', '1']
    return ['ffmpeg', '-v', 'error', ...source, ...target, '-f', 'image2pipe', '-y', output]
  })

function decode(file: Uint8Array, command: (input: string, output: string) => string[]): Uint8Array {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { tmpdir } = process.getBuiltinModule('node:os')
  const folder = mkdtempSync(join(tmpdir(), 'picture-'))
  try {
    const [input, output] = [join(folder, 'in'), join(folder, 'out')]
    writeFileSync(input, file)
    const [program = '', ...args] = command(input, output)
    const result = spawnSync(program, args, { timeout: longestDecoding, maxBuffer: maxBytes })
    if (result.error && 'code' in result.error && result.error.code === 'ENOENT')
      throw new ConversionFailure(
        'unsupported',
        `Pictures of this kind need ${program}, which is not installed.`,
      )
    if (result.status !== 0) throw damaged()
    return readFileSync(output)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const tooLarge = (): ConversionFailure =>
  new ConversionFailure('too-complex', 'The picture has more pixels than a conversion may use.')

const damaged = (): ConversionFailure =>
  new ConversionFailure(
    'corrupt-input',
    'The picture is damaged or of a rare kind. Open it in a picture viewer, save it again and try that copy.',
  )

/** `orientation` is Exif's value. */
function pdfOf({ width, height, bits, entries, data }: PdfImage, orientation: number): Uint8Array {
  const scale = longerSide / Math.max(width, height)
  const sides = [(width * scale).toFixed(3), (height * scale).toFixed(3)]
  const [wide, tall] = isSideways(orientation) ? sides.toReversed() : sides
  const size = `${wide} ${tall}`
  const content = `q ${wide} 0 0 ${tall} 0 0 cm ${orientationMatrix[orientation]} cm /Im Do Q`
  const image = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent ${bits} ${entries}`
  const objects: (string | Uint8Array)[][] = [
    ['<< /Type /Catalog /Pages 2 0 R >>'],
    ['<< /Type /Pages /Kids [3 0 R] /Count 1 >>'],
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${size}] /Contents 4 0 R /Resources << /XObject << /Im 5 0 R >> >> >>`,
    ],
    [`<< /Length ${content.length} >>\nstream\n${content}\nendstream`],
    [`<< ${image} /Length ${data.length} >>\nstream\n`, data, '\nendstream'],
  ]
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  const add = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part
    parts.push(bytes)
    length += bytes.length
  }
  for (const [i, object] of objects.entries()) {
    offsets.push(length)
    for (const part of [`${i + 1} 0 obj\n`, ...object, '\nendobj\n']) add(part)
  }
  const start = length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`)
  add(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`)
  return Buffer.concat(parts)
}

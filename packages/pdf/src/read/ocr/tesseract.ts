import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Grey } from './grey.ts'
import { hasDarkGround } from './tiles.ts'
import { type OcrWord, parseTsv } from './words.ts'

// Calls tesseract. Pictures are passed as uncompressed TIFF: encoding them as PNG costs more than OCR of a line, and
// tesseract reads a PGM byte by byte.

// The kernel ends a page at its limit of CPU time, which bounds what a hostile picture costs. Wall time is no such
// limit: a busy machine would leave pages without text, or, where the detection is cut short, with text in a wrong
// script. Its limit only ends a program that hangs.

export interface PageLimits {
  cpuSeconds: number
  wallSeconds: number
}

/** The wall time allows for a quarter of a CPU, and is less than the time of a conversion. */
const pageLimits: PageLimits = { cpuSeconds: 60, wallSeconds: 240 }
/** Maximum size of tesseract's output: a page of small print has a hundredth of it. */
const maxBytes = 32 * 2 ** 20
/** Threads within one page cost more CPU time than they save; pages run in parallel instead. */
const environment = { OMP_THREAD_LIMIT: '1' }

export interface Orientation {
  /** Clockwise quarter turns that make the text upright. */
  turns: 0 | 1 | 2 | 3
  script: string
  /** Tesseract's own measure; it has no upper limit. */
  scriptConfidence: number
}

/** If the shell cannot set the limit, it already has a lower one: that of the conversion. */
const limiter = 'ulimit -t "$0" 2>/dev/null; exec "$@"'

/** The arguments of `spawnSync`. */
const limited = (command: readonly string[], limits: PageLimits) =>
  [
    'sh',
    ['-c', limiter, String(limits.cpuSeconds), ...command],
    {
      timeout: 1000 * limits.wallSeconds,
      maxBuffer: maxBytes,
      env: { ...process.env, ...environment },
      encoding: 'utf8',
    },
  ] as const

/** What the program writes to stdout; undefined if it fails or exceeds a limit. */
export function runWithin(limits: PageLimits, ...command: string[]): string | undefined {
  // Loaded on demand: most documents are not scans, and the module costs as much as the text of a page.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const result = spawnSync(...limited(command, limits))
  return result.error || result.status !== 0 ? undefined : result.stdout
}

const run = (args: readonly string[]): string | undefined => runWithin(pageLimits, 'tesseract', ...args)

/** Undefined if tesseract is not installed. */
export function installedLanguages(): string[] | undefined {
  return run(['--list-langs'])
    ?.split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((name) => /^[a-z]{3}(_\w+)?$/i.test(name) && name !== 'equ')
}

/**
 * Tesseract examines five times this many letters (50 by default), and the time grows with them. With a quarter of them
 * the detection is equally reliable.
 */
const lettersOfDetection = ['-c', 'min_characters_to_try=12']
/** Tesseract's own measure, without an upper limit. Below this, a page is more likely upright than rotated. */
const minTurnConfidence = 0.5

/** Undefined if the page has too few letters. */
export function detectOrientation(image: Grey): Orientation | undefined {
  const args = ['stdout', '--psm', '0', ...dpi(image), ...lettersOfDetection]
  const out = withFile(image, (file) => run([file, ...args]))
  if (!out) return undefined
  const value = (name: string): string => new RegExp(`^${name}: (.+)$`, 'm').exec(out)?.[1] ?? ''
  const isSure = Number(value('Orientation confidence')) >= minTurnConfidence
  const turns = isSure ? (Number(value('Rotate')) / 90) % 4 : 0
  if (turns !== 0 && turns !== 1 && turns !== 2 && turns !== 3) return undefined
  return {
    turns,
    script: value('Script'),
    scriptConfidence: Number(value('Script confidence')),
  }
}

/**
 * By default tesseract reads each line of low confidence a second time as light letters on a dark background, which
 * doubles the time on a poor scan.
 */
const darkOnLight = ['-c', 'invert_threshold=0']
/** Tests for fixed-pitch fonts take a twentieth of the time; only the engine before version 4 uses the result. */
const proportional = ['-c', 'textord_all_prop=1']

/** Reads words that stand alone as well: the usual layout analysis takes them for noise. */
export const sparse = ['--psm', '11']

const argumentsFor = (image: Grey, languages: string): string[] => [
  '-l',
  languages,
  ...dpi(image),
  ...(hasDarkGround(image) ? [] : darkOnLight),
  ...proportional,
  'tsv',
]

/** `languages` are joined by `+`. Undefined if tesseract fails or exceeds a limit of a page. */
export function recogniseWords(
  image: Grey,
  languages: string,
  layout: readonly string[] = [],
): OcrWord[] | undefined {
  const args = [...layout, ...argumentsFor(image, languages)]
  const tsv = withFile(image, (file) => run([file, 'stdout', ...args]))
  return tsv === undefined ? undefined : wordsIn(image, tsv)
}

const wordsIn = (image: Grey, tsv: string): OcrWord[] =>
  parseTsv(tsv).map((word) => withoutMargin(image, word))

/** Brightness (0 to 255): darker pixels are ink. A row with less of it has no letter but a speck. */
const [dark, narrowest] = [128, 2]

/** The word without blank rows above and below its letters: in tables, tesseract's boxes are up to twice their height. */
export function withoutMargin({ width, pixels }: Grey, word: OcrWord): OcrWord {
  const isBlank = (y: number): boolean => {
    let inked = 0
    for (let at = y * width + word.left; at < y * width + word.left + word.width; at++)
      if ((pixels[at] as number) < dark) inked++
    return inked < narrowest
  }
  let [top, bottom] = [word.top, word.top + word.height]
  while (top < bottom && isBlank(top)) top++
  while (bottom > top && isBlank(bottom - 1)) bottom--
  return top < bottom ? { ...word, top, height: bottom - top } : word
}

/** Pixels by which boxes of words are too small. */
const roundedBy = 2

/** Words of a part of a page, without those that an edge of the part cuts, except in lines without spaces. */
export function recogniseWholeWords(part: Grey, languages: string): OcrWord[] {
  const isWithin = (start: number, length: number, end: number): boolean =>
    start > roundedBy && start + length < end - roundedBy
  return (recogniseWords(part, languages) ?? []).filter(
    ({ left, top, width, height }) =>
      isWithin(top, height, part.height) && (width > part.width / 2 || isWithin(left, width, part.width)),
  )
}

/** The caller does not return to the event loop while a document is read: a thread waits for tesseract. */
const besideCaller = `
const { workerData: { command, state, output } } = require('node:worker_threads')
try {
  const result = require('node:child_process').spawnSync(...command)
  if (!result.error && result.status === 0) require('node:fs').writeFileSync(output, result.stdout)
} finally {
  Atomics.store(state, 0, 1)
  Atomics.notify(state, 0)
}
`

/** Like recogniseWords(), but starts immediately; the returned function waits for the words. */
export function beginWords(image: Grey, languages: string): () => OcrWord[] | undefined {
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const folder = newFolder()
  const output = join(folder, 'words.tsv')
  const state = new Int32Array(new SharedArrayBuffer(4))
  const args = [writePicture(image, folder), 'stdout', ...argumentsFor(image, languages)]
  const workerData = { command: limited(['tesseract', ...args], pageLimits), state, output }
  const thread = new Worker(besideCaller, { eval: true, workerData })
  // If the words cannot be written, the page counts as one that tesseract fails on.
  thread.on('error', () => {})
  thread.unref()
  const startsWithin = 5000
  return () => {
    // A thread that fails to start cannot report this while its caller waits.
    Atomics.wait(state, 0, 0, 1000 * pageLimits.wallSeconds + startsWithin)
    const tsv = existsSync(output) ? readFileSync(output, 'utf8') : undefined
    rmSync(folder, { recursive: true, force: true })
    return tsv === undefined ? undefined : wordsIn(image, tsv)
  }
}

const dpi = ({ dotsPerInch }: Grey): string[] => ['--dpi', String(Math.round(dotsPerInch))]

function withFile<T>(image: Grey, use: (file: string) => T): T {
  const folder = newFolder()
  try {
    return use(writePicture(image, folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const newFolder = (): string => mkdtempSync(join(process.getBuiltinModule('node:os').tmpdir(), 'ocr-'))

function writePicture(image: Grey, folder: string): string {
  const file = join(folder, 'page.tif')
  writeFileSync(file, Buffer.concat([tiffHead(image), image.pixels]))
  return file
}

/** Header of a greyscale TIFF that is directly followed by the pixels: one directory with one value in each entry. */
function tiffHead({ width, height, pixels }: Grey): Buffer {
  const [directory, entrySize, long] = [8, 12, 4]
  const offsetTag = 273
  const tags: readonly (readonly [tag: number, value: number])[] = [
    [256, width],
    [257, height],
    [258, 8], // bits per pixel
    [259, 1], // no compression
    [262, 1], // 0 is black
    [offsetTag, 0],
    [277, 1], // channels
    [278, height], // all rows in one strip
    [279, pixels.length],
  ]
  const head = Buffer.alloc(directory + 2 + entrySize * tags.length + 4)
  head.write('II*\0', 'latin1')
  head.writeUInt32LE(directory, 4)
  head.writeUInt16LE(tags.length, directory)
  for (const [i, [tag, value]] of tags.entries()) {
    const at = directory + 2 + entrySize * i
    head.writeUInt16LE(tag, at)
    head.writeUInt16LE(long, at + 2)
    head.writeUInt32LE(1, at + 4)
    head.writeUInt32LE(tag === offsetTag ? head.length : value, at + 8)
  }
  return head
}

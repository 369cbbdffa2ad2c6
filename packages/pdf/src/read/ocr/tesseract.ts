import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Grey } from './grey.ts'
import { hasDarkGround } from './tiles.ts'
import { type OcrWord, parseTsv } from './words.ts'

// The calls of tesseract. Pictures are given as PGM: packing them as PNG costs more than reading a line.

/** For one page, and for the detection of its script; in milliseconds. */
const longestPage = 60_000
const longestDetection = 15_000
/** Of tesseract's table: a page of small print has a hundredth of it. */
const mostBytes = 32 * 2 ** 20
/** Threads of one page cost more CPU time than they save; pages run side by side instead. */
const environment = { OMP_THREAD_LIMIT: '1' }

export interface Orientation {
  /** Clockwise quarter turns that make the text upright. */
  turns: 0 | 1 | 2 | 3
  script: string
  /** Tesseract's own measure; it has no upper limit. */
  scriptConfidence: number
}

function run(args: readonly string[], timeout: number): string | undefined {
  // Loaded here: most documents are no scans, and the module costs as much as the text of a page.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const result = spawnSync('tesseract', args, {
    ...{ encoding: 'utf8', timeout, maxBuffer: mostBytes },
    env: { ...process.env, ...environment },
  })
  return result.error || result.status !== 0 ? undefined : result.stdout
}

/** Undefined without tesseract. */
export function installedLanguages(): string[] | undefined {
  return run(['--list-langs'], longestDetection)
    ?.split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((name) => /^[a-z]{3}(_\w+)?$/i.test(name) && name !== 'equ')
}

/**
 * Tesseract looks at five times as many letters, of fifty by default, and the time grows with them. With half of them it
 * is as often right.
 */
const lettersOfDetection = ['-c', 'min_characters_to_try=25']

/** Undefined where the page has too few letters to judge by. */
export function detectOrientation(image: Grey): Orientation | undefined {
  const args = ['stdout', '--psm', '0', ...dpi(image), ...lettersOfDetection]
  const out = withFile(image, (file) => run([file, ...args], longestDetection))
  if (!out) return undefined
  const value = (name: string): string => new RegExp(`^${name}: (.+)$`, 'm').exec(out)?.[1] ?? ''
  const turns = (Number(value('Rotate')) / 90) % 4
  if (turns !== 0 && turns !== 1 && turns !== 2 && turns !== 3) return undefined
  return {
    turns,
    script: value('Script'),
    scriptConfidence: Number(value('Script confidence')),
  }
}

/**
 * By default tesseract reads each line of which it is unsure once more as light letters on dark ground, which on a poor
 * scan doubles the time.
 */
const darkOnLight = ['-c', 'invert_threshold=0']

/** `languages` are joined by `+`. */
export function recogniseWords(image: Grey, languages: string): OcrWord[] {
  const inverts = hasDarkGround(image) ? [] : darkOnLight
  const args = (file: string): string[] => [
    ...[file, 'stdout', '-l', languages, ...dpi(image)],
    ...[...inverts, 'tsv'],
  ]
  return parseTsv(withFile(image, (file) => run(args(file), longestPage)) ?? '')
}

const dpi = ({ dotsPerInch }: Grey): string[] => ['--dpi', String(Math.round(dotsPerInch))]

function withFile<T>(image: Grey, use: (file: string) => T): T {
  const { tmpdir } = process.getBuiltinModule('node:os')
  const folder = mkdtempSync(join(tmpdir(), 'ocr-'))
  try {
    const file = join(folder, 'page.pgm')
    writeFileSync(file, Buffer.concat([Buffer.from(`P5 ${image.width} ${image.height} 255\n`), image.pixels]))
    return use(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

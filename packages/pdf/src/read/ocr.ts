import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConversionFailure } from '../failure.ts'
import { usualSize } from '../typography.ts'
import type { Glyph, Page } from './page.ts'
import { plainFont } from './plain-font.ts'

// Text of scanned pages, read by tesseract where it is installed. What it is unsure of is left out:
// the picture stays in the document and shows it.

export interface Recogniser {
  languages: string
  read(png: Uint8Array): RecognisedWord[]
}

export interface RecognisedWord {
  text: string
  /** In pixels. */
  left: number
  top: number
  width: number
  height: number
  line: string
  /** Of 100. */
  confidence: number
}

/** Of 100. Below it more words are wrong than right. */
const leastConfidence = 45
/** For one page, and for the look at its script; in milliseconds. */
const longestPage = 60_000
const longestLook = 15_000
/** Each language takes time, and more of them read worse. */
const mostLanguages = 4
const mostNamed = 40
/** Of tesseract's table: a page of small print has a hundredth of it. */
const mostBytes = 32 * 2 ** 20
/** The ink of a line of capitals and small letters is this much lower than its size. */
const sizeOverInk = 1.15
/** No text is smaller or larger, in points: specks and ornaments are. */
const smallestSize = 4
const largestSize = 60
/** The ink of a line reaches below the baseline by this in the mean, in ems: words with and without tails. */
const tailsInMean = 0.12
/** Letters of a word do not touch: a share of their step. */
const letterInStep = 0.98

/** Languages that write in a script; a page in another script is not worth the time. */
const scripts: Record<string, RegExp> = {
  Latin: /^(?!(?:chi|jpn|kor|ara|heb|rus|ukr|bul|ell|hin|tha)\b)/,
  Han: /^chi|^jpn/,
  Japanese: /^jpn/,
  Korean: /^kor/,
  Hangul: /^kor/,
  Cyrillic: /^(rus|ukr|bul|srp|bel|mkd)/,
  Arabic: /^(ara|fas|urd)/,
  Hebrew: /^heb/,
  Greek: /^ell/,
  Thai: /^tha/,
  Devanagari: /^(hin|mar|nep)/,
}

let found: { recogniser: Recogniser | undefined } | undefined

/** `wanted` are languages; without any, those that are installed. One process asks for one choice of them. */
export function findRecogniser(wanted?: readonly string[]): Recogniser | undefined {
  found ??= { recogniser: makeRecogniser(wanted) }
  return found.recogniser
}

function makeRecogniser(wanted?: readonly string[]): Recogniser | undefined {
  // Loaded here: most documents are no scans, and the modules cost as much as the text of a page.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { tmpdir } = process.getBuiltinModule('node:os')
  const listed = spawnSync('tesseract', ['--list-langs'], { encoding: 'utf8', timeout: 10_000 })
  if (listed.error || listed.status !== 0) return undefined
  const installed = listed.stdout
    .split('\n')
    .slice(1)
    .map((l) => l.trim())
    .filter((l) => /^[a-z]{3}(_\w+)?$/i.test(l) && l !== 'osd' && l !== 'equ')
  const missing = wanted?.filter((language) => !installed.includes(language)) ?? []
  if (missing.length > 0)
    throw new ConversionFailure(
      'unsupported',
      `Text recognition here does not know the language ${missing.join(', ')}. It knows ${installed.slice(0, mostNamed).join(', ')}.`,
    )
  const languages = (wanted ?? installed.slice(0, mostLanguages)).join('+')
  if (!languages) return undefined
  const knowsScripts = wanted === undefined && /^osd$/m.test(listed.stdout)
  let script: string | undefined
  return {
    languages,
    read(png) {
      const folder = mkdtempSync(join(tmpdir(), 'ocr-'))
      try {
        const picture = join(folder, 'page.png')
        writeFileSync(picture, png)
        // One look tells the script of the whole document.
        if (knowsScripts && script === undefined) {
          const look = spawnSync('tesseract', [picture, 'stdout', '--psm', '0'], {
            encoding: 'utf8',
            timeout: longestLook,
          })
          script = look.status === 0 ? (/^Script: (\w+)/m.exec(look.stdout)?.[1] ?? '') : undefined
        }
        const speaks = script ? scripts[script] : undefined
        if (speaks && !languages.split('+').some((l) => speaks.test(l))) return []
        const result = spawnSync('tesseract', [picture, 'stdout', '-l', languages, 'tsv'], {
          encoding: 'utf8',
          timeout: longestPage,
          maxBuffer: mostBytes,
        })
        return result.status === 0 ? parseTsv(result.stdout) : []
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

export function parseTsv(tsv: string): RecognisedWord[] {
  const out: RecognisedWord[] = []
  for (const row of tsv.split('\n').slice(1)) {
    const f = row.split('\t')
    const text = f[11]?.trim()
    if (f[0] !== '5' || !text || Number(f[10]) < leastConfidence) continue
    out.push({
      text,
      line: f.slice(1, 5).join('.'),
      confidence: Number(f[10]),
      left: Number(f[6]),
      top: Number(f[7]),
      width: Number(f[8]),
      height: Number(f[9]),
    })
  }
  return out
}

const font = plainFont('Times New Roman')

/** Words as glyphs of a page; `scale` is pixels per point. */
export function recognisedGlyphs(
  words: readonly RecognisedWord[],
  scale: number,
  page: Pick<Page, 'width' | 'height'>,
): Glyph[] {
  const lines = new Map<string, RecognisedWord[]>()
  for (const word of words) {
    const line = lines.get(word.line)
    if (line) line.push(word)
    else lines.set(word.line, [word])
  }
  const out: Glyph[] = []
  let order = 0
  for (const line of lines.values()) {
    const heights = line.map((w) => w.height).sort((a, b) => a - b)
    // Of two words the lower: brackets, commas and signs of money reach beyond the letters.
    const size = Math.min(
      largestSize,
      Math.max(smallestSize, ((heights[(heights.length - 1) >> 1] ?? usualSize) / scale) * sizeOverInk),
    )
    const bottoms = line.map((w) => (w.top + w.height) / scale).sort((a, b) => a - b)
    const baseline = (bottoms[bottoms.length >> 1] ?? 0) - tailsInMean * size
    for (const word of line) {
      const characters = [...word.text]
      const step = word.width / scale / characters.length
      for (const [i, text] of characters.entries()) {
        const x0 = word.left / scale + i * step
        out.push({
          text,
          x: x0,
          y: baseline,
          box: {
            x0,
            x1: x0 + step * letterInStep,
            y0: baseline - font.ascent * size,
            y1: baseline + font.descent * size,
          },
          size,
          font,
          color: '000000',
          turn: 0,
          slanted: false,
          order,
          tag: -1,
          invisible: true,
        })
      }
      out.push({ ...(out.at(-1) as Glyph), text: ' ' })
    }
    order++
  }
  return out.filter((g) => g.x < page.width && g.y < page.height)
}

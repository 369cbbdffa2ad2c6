import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConversionFailure } from '../failure.ts'

// Text of scanned pages, read by tesseract where it is installed. What it is unsure of is left out:
// the picture stays in the document and shows it.

export interface OcrEngine {
  languages: string
  read(png: Uint8Array): OcrWord[]
}

export interface OcrWord {
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
/** In a line of some words that was read well, only noise is left out. */
const sureLine = 75
const leastInLine = 5
const leastWords = 4
/** For one page, and for the look at its script; in milliseconds. */
const longestPage = 60_000
const longestLook = 15_000
/** Each language takes time, and more of them read worse. */
const mostLanguages = 4
const mostNamed = 40
/** Of tesseract's table: a page of small print has a hundredth of it. */
const mostBytes = 32 * 2 ** 20
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

let found: { ocrEngine: OcrEngine | undefined } | undefined

/** `wanted` are languages; without any, those that are installed. One process asks for one choice of them. */
export function findOcrEngine(wanted?: readonly string[]): OcrEngine | undefined {
  found ??= { ocrEngine: makeOcrEngine(wanted) }
  return found.ocrEngine
}

function makeOcrEngine(wanted?: readonly string[]): OcrEngine | undefined {
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
        // One detection is enough for the whole document.
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

export function parseTsv(tsv: string): OcrWord[] {
  const words: OcrWord[] = []
  for (const row of tsv.split('\n').slice(1)) {
    const f = row.split('\t')
    const text = f[11]?.trim()
    if (f[0] !== '5' || !text) continue
    words.push({
      text,
      line: f.slice(1, 5).join('.'),
      confidence: Number(f[10]),
      left: Number(f[6]),
      top: Number(f[7]),
      width: Number(f[8]),
      height: Number(f[9]),
    })
  }
  return wordLines(words).flatMap(sureWords)
}

export const wordLines = (words: readonly OcrWord[]): OcrWord[][] => [
  ...Map.groupBy(words, ({ line }) => line).values(),
]

/** In a line that was read well, a word that nothing is known of is more often right than wrong. */
function sureWords(line: readonly OcrWord[]): OcrWord[] {
  const length = line.reduce((sum, w) => sum + w.text.length, 0)
  const mean = line.reduce((sum, w) => sum + w.confidence * w.text.length, 0) / length
  const least = mean >= sureLine && line.length >= leastWords ? leastInLine : leastConfidence
  return line.filter((w) => w.confidence >= least)
}

import { readFile, stat } from 'node:fs/promises'
import type { Findings } from '../report/findings.ts'

// Facts about a PDF that we made, for the report. Both programs that write PDFs here write the dictionaries of fonts,
// images and pages as plain text, so a search for their names finds them: no program is started, and no page is parsed.
// Runs in the worker pool.

const maxBytes = 64 * 1024 * 1024
const maxFonts = 200

export async function pdfFacts(path: string): Promise<Findings> {
  if ((await stat(path)).size > maxBytes) return {}
  const file = await readFile(path)
  const fonts = new Set<string>()
  for (const at of placesOf(file, '/BaseFont')) {
    const name = /^\/BaseFont\s*\/([^\s/<>[\]()]{1,120})/.exec(textAt(file, at, 140))?.[1]
    if (name && fonts.size < maxFonts) fonts.add(decodeName(name))
  }
  const pages = countPages(file)
  let pictures = 0
  for (const at of placesOf(file, '/Image')) {
    if (!/\/Subtype\s*\/Image\b/.test(textAt(file, at - 12, 18))) continue
    // The mask of a picture is a picture besides.
    if (!/\/SMask\s+\d/.test(textAt(file, at, 400).split('stream', 1)[0] ?? '')) pictures += 1
  }
  const [producer] = placesOf(file, '/Producer')
  const version = producer === undefined ? undefined : versionIn(textAt(file, producer, 400))
  return {
    ...(version === undefined ? {} : { version }),
    ...(pages === 0 ? {} : { output: { pages, pictures } }),
    usedFonts: [...fonts],
  }
}

const longestPagesObject = 1_000_000

/** The root of the page tree has the largest count. Every byte is searched once, however many objects there are. */
function countPages(file: Buffer): number {
  let pages = 0
  let searched = 0
  for (const at of placesOf(file, '/Pages')) {
    if (at < searched) continue
    const start = Math.max(0, file.subarray(searched, at).lastIndexOf('obj')) + searched
    const end = file.indexOf('endobj', at)
    if (end === -1) break
    searched = end
    const object = file.toString('latin1', start, Math.min(end, at + longestPagesObject))
    const count = Number(/\/Count\s+(\d{1,7})\b/.exec(object)?.[1])
    if (/\/Type\s*\/Pages\b/.test(object) && count > pages) pages = count
  }
  return pages
}

const textAt = (file: Buffer, at: number, length: number) =>
  file.toString('latin1', Math.max(0, at), at + length)

function* placesOf(file: Buffer, word: string): Generator<number> {
  for (let at = file.indexOf(word, 0, 'latin1'); at !== -1; at = file.indexOf(word, at + 1, 'latin1'))
    yield at
}

const decodeName = (name: string) =>
  name.replaceAll(/#([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** LibreOffice writes its version: `(LibreOffice 25.2.3.2 …)`, or the same in UTF-16 as hexadecimal digits. */
function versionIn(producer: string): string | undefined {
  const hex = /^\/Producer\s*<FEFF((?:[0-9A-F]{4})+)/i.exec(producer)?.[1]
  const text = hex === undefined ? producer : Buffer.from(hex, 'hex').swap16().toString('utf16le')
  return /LibreOffice (\d+(?:\.\d+)+)/.exec(text)?.[1]
}

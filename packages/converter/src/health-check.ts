import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPair } from './catalog/pairs.ts'
import type { ConvertRequest } from './convert-file.ts'
import { warmUpFolder } from './engines/libreoffice/warm-up-documents.ts'
import { writeArchive } from './package/rewrite-archive.ts'

// One small document of Kiln's own per engine. An engine that cannot convert it does not work.

const deadlineMilliseconds = 60_000

interface Sample {
  pair: string
  write(path: string): Promise<void>
}

const text = (content: string) => (path: string) => writeFile(path, content)

const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 44>>stream
BT /F 12 Tf 20 50 Td (A health check.) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R/Size 6>>
%%EOF
`

/** Two red frames of 16 by 16 pixels: Matroska, PNG. */
const film = [
  'GkXfo6NChoEBQveBAULygQRC84EIQoKIbWF0cm9za2FCh4EEQoWBAhhTgGcBAAAAAAACxBFNm3TAv4TZEiUtTbuLU6uEFUmpZlOs',
  'gaFNu4tTq4QWVK5rU6yBzE27jFOrhBJUw2dTrIIBWU27jFOrhBxTu2tTrIICl+wBAAAAAAAAUwAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFUmpZqa/hNWPkj0q',
  '17GDD0JATYCETGF2ZldBhExhdmZEiYhAeQAAAAAAABZUrmtAh7+EIEHgEK4BAAAAAAAAeNeBAXPFiAAAAAAAAAABnIEAIrWcg3Vu',
  'ZIiBAIOBASPjg4QL68IAho9WX01TL1ZGVy9GT1VSQ0PglLCBELqBEJqBAlWwiFWxgQBVuYECY6KoKAAAABAAAAAQAAAAAQAYAE1Q',
  'TkcAAwAAAAAAAAAAAAAAAAAAAAAAABJUw2fUv4T5cAZdc3PLY8CLY8WIAAAAAAAAAAFnyJVFo4dFTkNPREVSRIeITGF2YyBwbmdn',
  'yKJFo4hEVVJBVElPTkSHlDAwOjAwOjAwLjQwMDAwMDAwMAAAH0O2dUDfv4RgsKZO54EAo+mBAACAiVBORw0KGgoAAAANSUhEUgAA',
  'ABAAAAAQCAIAAACQkWg2AAAACXBIWXMAAAABAAAAAQBPJcTWAAAAF0lEQVR4nGP4y8BAEiJN9aiGUQ1DSgMAfsz9ATa/hGgAAAAA',
  'SUVORK5CYIKj6YEAyICJUE5HDQoaCgAAAA1JSERSAAAAEAAAABAIAgAAAJCRaDYAAAAJcEhZcwAAAAEAAAABAE8lxNYAAAAXSURB',
  'VHicY/jLwEASIk31qIZRDUNKAwB+zP0BNr+EaAAAAABJRU5ErkJgghxTu2uov4QFOjHiu4+zgQC3iveBAfGCAbLwgQm7j7OByLeK',
  '94EB8YIBsvCBdA==',
].join('')

const fileSet = new Map([
  ['steps.json', JSON.stringify({ files: [{ path: '0', name: 'a.pdf' }] })],
  ['0', pdf],
])

const samples: Readonly<Record<string, Sample>> = {
  // A Word document: its fonts follow further rules (engines/fonts.ts), so more has to work than for a sheet.
  libreoffice: { pair: 'docx-to-pdf', write: (path) => copyFile(join(warmUpFolder, 'text.docx'), path) },
  pandoc: { pair: 'md-to-html', write: text('A *health* check.\n') },
  chromium: { pair: 'html-to-pdf', write: text('<!doctype html><title>A</title><p>A health check.</p>') },
  pdf: { pair: 'pdf-to-txt', write: text(pdf) },
  qpdf: { pair: 'file-set-to-file-results', write: (path) => writeArchive(path, fileSet) },
  ffmpeg: { pair: 'mkv-to-mp4', write: (path) => writeFile(path, Buffer.from(film, 'base64')) },
}

/** The conversion that shows whether the engine works; undefined for an engine without a sample. */
export function healthCheckOf(engine: string): ConvertRequest | undefined {
  const sample = samples[engine]
  const pair = sample && findPair(sample.pair)
  if (!sample || !pair) return undefined
  return {
    pair,
    input: sample.write,
    // The output was checked by then, and is discarded.
    output: async () => {},
    signal: AbortSignal.timeout(deadlineMilliseconds),
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Pair } from '../catalog/pairs.ts'
import { withUpload } from '../catalog/sniff/upload.ts'
import { countWords } from '../report/count-words.ts'
import type { Findings } from '../report/findings.ts'
import type { CheckContext } from './index.ts'
import type { pdfFacts } from './pdf-facts.ts'
import { holdsNone, type sourceWords } from './source-words.ts'

// A PDF is good when poppler opens it and finds pages in it, and when it says what the source says: of a sample
// of the source's words at least one is there. Where the source has words and the PDF has no text, there has to be
// a picture. A source without words that can be compared (drawings, old binary formats) is held to neither. Poppler
// reads an untrusted file here, so it runs in the box: one program for a PDF with text, a second one for one without.

const mebibyte = 1024 * 1024
const logBytes = mebibyte
const wordsModule = import.meta.resolve('./source-words.ts')
const factsModule = import.meta.resolve('./pdf-facts.ts')
const pagesRead = 20

/** Fewer words may all stand where nobody sees them: a hidden sheet, a field, a note. */
const leastWords = 8

export async function checkPdf(path: string, pair: Pair, context: CheckContext): Promise<Findings> {
  const startsRight = await withUpload(path, async ({ head }) => head.subarray(0, 1024).includes('%PDF-'))
  if (!startsRight) throw new Error('the file does not start like a PDF')
  const [text, words, facts] = await Promise.all([
    poppler('pdftotext', path, ['-q', '-l', String(pagesRead), '/in', '-'], context),
    context
      .inThread<typeof sourceWords>(wordsModule, 'sourceWords', context.inputPath, pair.from)
      // What the engine could read and we cannot has no words to compare.
      .catch((): string[] => []),
    context
      .inThread<typeof pdfFacts>(factsModule, 'pdfFacts', path)
      // The report does without them.
      .catch((): Findings => ({})),
  ])
  // Every page ends with one; of a page that says more than is kept, the end is not seen.
  if (!text.includes('\f') && Buffer.byteLength(text) < logBytes) throw new Error('the PDF has no pages')
  if (words.length >= leastWords && holdsNone(words, text)) {
    throw new Error(`none of ${words.length} words of the source is in the PDF`)
  }
  const seen = withWords(facts, text)
  if (words.length === 0 || text.trim() !== '') return seen
  const pictures = await poppler('pdfimages', path, ['-list', '-l', '3', '/in'], context)
  // Two lines of headings.
  if (pictures.trim().split('\n').length <= 2) throw new Error('the PDF is blank, but the input has text')
  return seen
}

/** Words are counted where all pages were read. */
function withWords(facts: Findings, text: string): Findings {
  const pages = facts.output?.pages ?? 0
  if (pages === 0 || pages > pagesRead || Buffer.byteLength(text) >= logBytes) return facts
  return { ...facts, output: { ...facts.output, words: countWords(text) } }
}

/** What the program says of the file, whose place among the arguments is `/in`. */
async function poppler(
  program: string,
  path: string,
  args: readonly string[],
  { sandbox, signal }: CheckContext,
): Promise<string> {
  const outFolder = await mkdtemp(join(dirname(dirname(path)), 'check-'))
  try {
    const result = await sandbox.run({
      program,
      args: args.map((each) => (each === '/in' ? `/in/${basename(path)}` : each)),
      inFolder: dirname(path),
      outFolder,
      limits: {
        wallSeconds: 60,
        cpuSeconds: 30,
        memoryBytes: 1024 * mebibyte,
        processes: 32,
        fileBytes: mebibyte,
        diskBytes: mebibyte,
        logBytes,
      },
      signal,
    })
    if (result.ending !== 'exited' || result.exitCode !== 0) {
      throw new Error(`poppler cannot read it (${result.ending}): ${result.untrustedStderr.slice(0, 500)}`)
    }
    return result.untrustedStdout
  } finally {
    await rm(outFolder, { recursive: true, force: true })
  }
}

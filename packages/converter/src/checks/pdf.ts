import { mkdtemp, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Pair } from '../catalog/pairs.ts'
import { withUpload } from '../catalog/sniff/upload.ts'
import type { CheckContext } from './index.ts'
import { holdsNone, type sourceWords } from './source-words.ts'

// A PDF is good when poppler opens it and finds pages in it, and when it says what the source says: of a sample
// of the source's words at least one is there. Where the source has words and the PDF has no text, there has to be
// a picture. A source without words that can be compared (drawings, old binary formats) is held to neither. Poppler
// reads an untrusted file here, so it runs in the box: one program for a PDF with text, a second one for one without.

const mebibyte = 1024 * 1024
const logBytes = mebibyte
const wordsModule = import.meta.resolve('./source-words.ts')

/** Fewer words may all stand where nobody sees them: a hidden sheet, a field, a note. */
const leastWords = 8

export async function checkPdf(path: string, pair: Pair, context: CheckContext): Promise<void> {
  const startsRight = await withUpload(path, async ({ head }) => head.subarray(0, 1024).includes('%PDF-'))
  if (!startsRight) throw new Error('the file does not start like a PDF')
  const [text, words] = await Promise.all([
    poppler('pdftotext', path, ['-q', '-l', '20', '/in', '-'], context),
    context
      .inThread<typeof sourceWords>(wordsModule, 'sourceWords', context.inputPath, pair.from)
      // What the engine could read and we cannot has no words to compare.
      .catch((): string[] => []),
  ])
  // Every page ends with one; of a page that says more than is kept, the end is not seen.
  if (!text.includes('\f') && Buffer.byteLength(text) < logBytes) throw new Error('the PDF has no pages')
  if (words.length >= leastWords && holdsNone(words, text)) {
    throw new Error(`none of ${words.length} words of the source is in the PDF`)
  }
  if (words.length === 0 || text.trim() !== '') return
  const pictures = await poppler('pdfimages', path, ['-list', '-l', '3', '/in'], context)
  // Two lines of headings.
  if (pictures.trim().split('\n').length <= 2) throw new Error('the PDF is blank, but the input has text')
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

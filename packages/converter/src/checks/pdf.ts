import { mkdtemp, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Pair } from '../catalog/pairs.ts'
import { withUpload } from '../catalog/sniff/upload.ts'
import type { BoxResult } from '../sandbox/sandbox.ts'
import type { CheckContext } from './index.ts'
import { holdsNone, type sourceWords } from './source-words.ts'

// A PDF is good when poppler opens it and finds pages in it, and when it says what the source says: of a sample
// of the source's words at least one is there. A source without words that can be compared (pictures, drawings,
// old binary formats) has to leave some ink on its first pages, unless it is empty itself. Poppler reads an
// untrusted file here, so it runs in the box.

const mebibyte = 1024 * 1024
const wordsModule = import.meta.resolve('./source-words.ts')

/** Fewer words may all stand where nobody sees them: a hidden sheet, a field, a note. */
const leastWords = 8

export async function checkPdf(path: string, pair: Pair, context: CheckContext): Promise<void> {
  const startsRight = await withUpload(path, async ({ head }) => head.subarray(0, 1024).includes('%PDF-'))
  if (!startsRight) throw new Error('the file does not start like a PDF')
  const [result, words] = await Promise.all([
    inspect(path, context),
    context
      .inThread<typeof sourceWords>(wordsModule, 'sourceWords', context.inputPath, pair.from)
      // What the engine could read and we cannot has no words to compare.
      .catch((): string[] => []),
  ])
  if (result.ending !== 'exited' || result.exitCode !== 0) {
    throw new Error(`poppler cannot read it (${result.ending}): ${result.untrustedStderr.slice(0, 500)}`)
  }
  const [facts = '', text = '', pictures = ''] = result.untrustedStdout.split(mark)
  if (!/^Pages:\s+[1-9]\d*$/m.test(facts)) throw new Error('the PDF has no pages')
  if (words.length >= leastWords && holdsNone(words, text)) {
    throw new Error(`none of ${words.length} words of the source is in the PDF`)
  }
  const isBlank = text.trim() === '' && pictures.trim() === ''
  if (isBlank && words.length > 0) throw new Error('the PDF is blank, but the input has text')
}

const mark = '\n== kiln ==\n'

// The text of the first pages, and the first of their pictures.
const script = `set -e
pdfinfo "$1"
printf '${mark.replaceAll('\n', '\\n')}'
pdftotext -q -l 20 "$1" - | head -c 400000
printf '${mark.replaceAll('\n', '\\n')}'
pdfimages -list -l 3 "$1" | tail -n +3 | head -n 1`

async function inspect(path: string, { sandbox, signal }: CheckContext): Promise<BoxResult> {
  const outFolder = await mkdtemp(join(dirname(dirname(path)), 'check-'))
  try {
    return await sandbox.run({
      program: '/bin/sh',
      args: ['-c', script, 'check', `/in/${basename(path)}`],
      inFolder: dirname(path),
      outFolder,
      limits: {
        wallSeconds: 60,
        cpuSeconds: 30,
        memoryBytes: 1024 * mebibyte,
        processes: 32,
        fileBytes: mebibyte,
        diskBytes: mebibyte,
        logBytes: mebibyte,
      },
      signal,
    })
  } finally {
    await rm(outFolder, { recursive: true, force: true })
  }
}

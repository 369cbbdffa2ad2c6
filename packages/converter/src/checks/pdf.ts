import { mkdtemp } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { formats } from '../catalog/formats.ts'
import type { Pair } from '../catalog/pairs.ts'
import { withUpload } from '../catalog/sniff/upload.ts'
import { removeTree } from '../remove-tree.ts'
import type { BoxResult } from '../sandbox/sandbox.ts'
import type { CheckContext } from './index.ts'

// A PDF is good when poppler opens it and finds pages in it, and when it is not blank though the
// input surely had text. Poppler reads an untrusted file here, so it runs in the box.

const mebibyte = 1024 * 1024

export async function checkPdf(path: string, pair: Pair, context: CheckContext): Promise<void> {
  const startsRight = await withUpload(path, async ({ head }) => head.subarray(0, 1024).includes('%PDF-'))
  if (!startsRight) throw new Error('the file does not start like a PDF')
  // Text is all there is to such a file; other documents may be pictures or shapes alone.
  const looksForText = formats[pair.from].isText === true && pair.from !== 'html'
  const result = await inspect(path, context, looksForText)
  if (result.ending !== 'exited' || result.exitCode !== 0) {
    throw new Error(`poppler cannot read it (${result.ending}): ${result.untrustedStderr.slice(0, 500)}`)
  }
  const pages = Number(/^Pages:\s+(\d+)$/m.exec(result.untrustedStdout)?.[1] ?? 0)
  if (pages < 1) throw new Error('the PDF has no pages')
  if (!looksForText) return
  const [, content = ''] = result.untrustedStdout.split(contentMark)
  if (content.trim() === '' && (await hasWords(context.inputPath))) {
    throw new Error('the PDF is blank, but the input has text')
  }
}

const contentMark = '== content =='
// The first characters of the first pages, or the list of pictures: either shows that the page is not blank.
const script = `set -e
pdfinfo "$1"
echo '${contentMark}'
pdftotext -q -l 3 "$1" - | tr -d '[:space:]' | head -c 64
pdfimages -list -l 3 "$1" | tail -n +3 | head -n 1`

async function inspect(
  path: string,
  { sandbox, signal }: CheckContext,
  looksForText: boolean,
): Promise<BoxResult> {
  const inside = `/in/${basename(path)}`
  const outFolder = await mkdtemp(join(dirname(dirname(path)), 'check-'))
  try {
    return await sandbox.run({
      ...(looksForText
        ? { program: '/bin/sh', args: ['-c', script, 'check', inside] }
        : { program: '/usr/bin/pdfinfo', args: [inside] }),
      inFolder: dirname(path),
      outFolder,
      limits: {
        wallSeconds: 30,
        cpuSeconds: 30,
        memoryBytes: 1024 * mebibyte,
        processes: 32,
        fileBytes: mebibyte,
        diskBytes: mebibyte,
        logBytes: 16 * 1024,
      },
      ...(signal ? { signal } : {}),
    })
  } finally {
    await removeTree(outFolder)
  }
}

/** Letters or digits of any script among the first bytes; markup counts, so this is not for HTML. */
const hasWords = (path: string) =>
  withUpload(path, async ({ head }) => /[\p{L}\p{N}]/u.test(head.toString('utf8')))

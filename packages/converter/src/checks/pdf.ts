import { rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { withUpload } from '../catalog/file-types/upload.ts'
import type { Pair } from '../catalog/pairs.ts'
import { failed } from '../failure.ts'
import type { Findings } from '../report/findings.ts'
import type { SandboxResult } from '../sandbox/sandbox.ts'
import type { CheckContext } from './check.ts'
import type { findFault } from './declared-pdf.ts'
import type { inkIn } from './ink.ts'
import type { pdfFacts } from './pdf-facts.ts'
import { checkFolderBeside, readerLimits } from './pdf-reader.ts'
import type { TextFacts, textFacts } from './pdf-text.ts'
import type { Shown } from './source/shows.ts'
import { minWords } from './source/words.ts'

// A PDF is valid when poppler opens it and finds pages, and when it shows the content of the source:
// - at least one word of a sample of the source's words is there;
// - when the source has visible content (text, a picture, a drawing) and the PDF has no text, the PDF has a picture, or
//   its pages have ink.
// Poppler reads an untrusted file, so it runs in the sandbox: one program for a PDF with text, more for a PDF without
// text or whose first pages contain none of the words.

const { logBytes } = readerLimits
const factsModule = import.meta.resolve('./pdf-facts.ts')
const declaredModule = import.meta.resolve('./declared-pdf.ts')
const textModule = import.meta.resolve('./pdf-text.ts')
const inkModule = import.meta.resolve('./ink.ts')

/** The words of so many pages are counted, so all of them are read. */
const countedPages = 5
/** The pages that are read of a longer document: enough to find words of the source in most. */
const firstPages = 2
const drawnPages = 20
const notCompared: Shown = { words: [] }
const noText: TextFacts = { wordCount: 0, lacksWords: true }
/** Pixels of the longer side. A dot of a quarter of a millimetre is still visible. */
const inkDots = 400

export async function checkPdf(path: string, _pair: Pair, context: CheckContext): Promise<Findings> {
  const startsRight = await withUpload(path, async ({ head }) => head.subarray(0, 1024).includes('%PDF-'))
  if (!startsRight) throw new Error('the file does not start like a PDF')
  const facts = await context
    .inThread<typeof pdfFacts>(factsModule, 'pdfFacts', path)
    // The report does without them.
    .catch((): Findings => ({}))
  const isCounted = (facts.output?.pages ?? 0) <= countedPages
  const readPages = isCounted ? countedPages : firstPages
  const [text, source] = await Promise.all([
    readStart(path, readPages, context),
    context.isPart ? notCompared : context.source,
  ])
  const laterPages = ['-q', '-f', String(readPages + 1), '/in', '-']
  // It fails when there are no more pages.
  const laterText = () => poppler('pdftotext', path, laterPages, context).catch(() => '')
  // Every page ends with a form feed; the end of a page with more text than is captured is cut off.
  if (!text.includes('\f') && Buffer.byteLength(text) < logBytes) throw new Error('the PDF has no pages')
  const { words, sees, hasPrintArea } = source
  const textFactsOf = (part: string) =>
    context.inThread<typeof textFacts>(textModule, 'textFacts', part, words)
  const hasText = text.trim() !== ''
  const start = hasText ? await textFactsOf(text) : noText
  const seen = withWordCount(facts, text, start)
  if (!hasText && sees === undefined) return seen
  const isCompared = words.length >= minWords && !hasPrintArea
  if (isCompared && start.lacksWords && (await textFactsOf(await laterText())).lacksWords) {
    throw new Error(`none of ${words.length} words of the source is in the PDF`)
  }
  if (!hasText && (await isBlank(path, context, sees)) && (await laterText()).trim() === '') {
    throw new Error(`the PDF is blank, but the input shows ${sees}`)
  }
  return seen
}

async function readStart(path: string, pages: number, { reader, signal }: CheckContext): Promise<string> {
  if (!reader) throw new Error('no reader was opened')
  const args = ['-q', '-l', String(pages), `/in/${basename(path)}`, '-']
  return heard(await (await reader).give({ args, signal }))
}

/** Words are counted where all pages were read. */
function withWordCount(facts: Findings, text: string, { wordCount }: TextFacts): Findings {
  const pages = facts.output?.pages ?? 0
  if (pages === 0 || pages > countedPages || Buffer.byteLength(text) >= logBytes) return facts
  return { ...facts, output: { ...facts.output, words: wordCount } }
}

async function isBlank(path: string, context: CheckContext, sees: Shown['sees']): Promise<boolean> {
  const pages = ['-l', String(drawnPages)]
  const pictures = await poppler('pdfimages', path, ['-list', ...pages, '/in'], context)
  // Two lines of headings, then a line for each image.
  if (/^.*\n.*\n./.test(pictures)) return false
  const draw = ['-png', '-transp', '-scale-to', String(inkDots), ...pages, '/in', '/out/page']
  const ink = await inPoppler('pdftocairo', path, draw, context, (_, folder) =>
    context.inThread<typeof inkIn>(inkModule, 'inkIn', folder),
  ).catch(() => 'something') // A page that exceeds the limits of drawing is not blank.
  // A drawing may be as white as its paper.
  return ink === 'nothing' || (ink === 'even' && sees !== 'a drawing')
}

/** Does it conform to what it declares? Throws ConversionFailed, because the document may not allow it. */
export async function checkDeclaration(path: string, context: CheckContext): Promise<void> {
  const { declared, inThread } = context
  const { pdfa, pdfua } = declared
  if (!pdfa && !pdfua) return
  const ask = (program: string, ...args: string[]) => poppler(program, path, [...args, '/in'], context)
  const outputs = {
    metadata: await ask('pdfinfo', '-meta'),
    fonts: pdfa ? await ask('pdffonts') : '',
    info: pdfua ? await ask('pdfinfo') : '',
  }
  const fault = await inThread<typeof findFault>(declaredModule, 'findFault', path, declared, outputs)
  if (fault !== undefined)
    throw failed.unsupported(`The document could not be made a ${fault}. Ask for an ordinary PDF.`)
}

const poppler = (program: string, path: string, args: readonly string[], context: CheckContext) =>
  inPoppler(program, path, args, context, (stdout) => stdout)

/** The result of `take` on the program's output. `/in` in the arguments is replaced by the file. */
async function inPoppler<T>(
  program: string,
  path: string,
  args: readonly string[],
  { sandbox, signal }: CheckContext,
  take: (untrustedStdout: string, untrustedFolder: string) => T | Promise<T>,
): Promise<T> {
  const outFolder = await checkFolderBeside(dirname(path))
  try {
    const result = await sandbox.run({
      program,
      args: args.map((each) => (each === '/in' ? `/in/${basename(path)}` : each)),
      inFolder: dirname(path),
      outFolder,
      limits: readerLimits,
      signal,
    })
    return await take(heard(result), outFolder)
  } finally {
    await rm(outFolder, { recursive: true, force: true })
  }
}

function heard({ ending, exitCode, untrustedStdout, untrustedStderr }: SandboxResult): string {
  if (ending !== 'exited' || exitCode !== 0)
    throw new Error(`poppler cannot read it (${ending}): ${untrustedStderr.slice(0, 500)}`)
  return untrustedStdout
}

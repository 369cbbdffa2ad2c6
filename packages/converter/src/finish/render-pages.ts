import { basename, dirname, join } from 'node:path'
import { checkFolderBeside } from '../checks/pdf-reader.ts'
import { causeOf, type EngineSentences, judgeEnding } from '../engines/judge-ending.ts'
import { failed } from '../failure.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { InThread } from '../threads/in-thread.ts'
import type { collectPages } from './collect-pages.ts'

// The pages of a PDF as PNG files. Poppler draws them, in the sandbox.

const collectModule = import.meta.resolve('./collect-pages.ts')
const mebibyte = 1024 * 1024
const usualDotsPerInch = 150

const limits = {
  wallSeconds: 120,
  cpuSeconds: 90,
  memoryBytes: 2048 * mebibyte,
  processes: 32,
  fileBytes: 128 * mebibyte,
  diskBytes: 256 * mebibyte,
  logBytes: 64 * 1024,
}

const sentences: EngineSentences = {
  tooLong:
    'The pages took longer to draw than a conversion may take. Ask for fewer `pages` or a lower `dpi`.',
  tooLarge: 'The pictures are larger than the service allows. Ask for fewer `pages` or a lower `dpi`.',
  outOfMemory: 'The pictures need more memory than a conversion may use. Ask for a lower `dpi`.',
}

interface Rendering {
  /** As in the option; the PDF holds these pages and no others. */
  pages: string
  dotsPerInch: number | undefined
  isArchive: boolean
  sandbox: Sandbox
  inThread: InThread
  signal: AbortSignal
}

/** The path of a PNG file, or of a ZIP archive with one for each page. */
export async function renderPages(pdf: string, rendering: Rendering): Promise<string> {
  const { pages, dotsPerInch = usualDotsPerInch, isArchive, sandbox, inThread, signal } = rendering
  const outFolder = await checkFolderBeside(dirname(pdf))
  const result = await sandbox.run({
    program: 'pdftocairo',
    args: ['-q', '-png', '-r', String(dotsPerInch), `/in/${basename(pdf)}`, '/out/page'],
    inFolder: dirname(pdf),
    outFolder,
    limits,
    signal,
  })
  const judged = judgeEnding(result, { engine: 'pdftocairo', sentences, signal })
  if (judged) throw judged
  const cause = causeOf(result, 'pdftocairo')
  // Cairo refuses pictures of more than 32,767 dots a side.
  if (/memory|too big|invalid.*size/i.test(result.untrustedStderr))
    throw failed.tooComplex(sentences.outOfMemory, cause)
  if (result.exitCode !== 0) throw cause
  const target = isArchive ? join(outFolder, 'pages.zip') : undefined
  return inThread<typeof collectPages>(collectModule, 'collectPages', outFolder, pages, target)
}

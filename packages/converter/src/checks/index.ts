import { formats } from '../catalog/formats.ts'
import type { FormatName, Pair } from '../catalog/pairs.ts'
import { failed } from '../failure.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { checkPackage } from './package.ts'
import { checkPdf } from './pdf.ts'
import { checkText } from './text.ts'
import { checkVideoContainer } from './video.ts'

export { openOutput } from './open-output.ts'

// The last check before `done`: is the output what the pair promises? Judged by content, because
// engines end with exit code 0 when they made nothing, or made nonsense. A converter's output is
// untrusted: whatever parses it deeply runs in the box.

export interface CheckContext {
  sandbox: Sandbox
  inputPath: string
  signal?: AbortSignal
}

type Check = (path: string, pair: Pair, context: CheckContext) => Promise<void>

const checks: Partial<Record<FormatName, Check>> = {
  md: checkText,
  html: checkText,
  latex: checkText,
  rst: checkText,
  docx: checkPackage,
  odt: checkPackage,
  epub: checkPackage,
  pdf: checkPdf,
  mp4: checkVideoContainer,
  mov: checkVideoContainer,
  mkv: checkVideoContainer,
  webm: checkVideoContainer,
  gif: checkVideoContainer,
}

/** Throws ConversionFailed when the file is not a good file of the pair's target format. */
export async function checkOutput(path: string, pair: Pair, context: CheckContext): Promise<void> {
  const check = checks[pair.to]
  if (!check) throw new Error(`No output check for ${pair.to}; add one in engines/checks`)
  try {
    await check(path, pair, context)
  } catch (error) {
    throw failed.internal(
      `The converter's output is not a good ${formats[pair.to].label} file. Try again; if it fails again, report the file.`,
      error,
    )
  }
}

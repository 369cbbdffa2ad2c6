import { isEncryptedWorkbook } from '../../catalog/sniff/old-variant.ts'
import { failed } from '../../failure.ts'
import type { OfficeResult } from './cold-soffice.ts'
import { officeWallSeconds } from './soffice-box.ts'

// How a run of LibreOffice ended, in the words of the interface. Its exit code says nothing: it is 0
// when the document could not be loaded, too. The report of our own program inside it counts.

/** Nothing when the run succeeded. An Error that is no ConversionFailed is our fault and tried again. */
export async function officeFailure(
  { box, untrustedReport }: OfficeResult,
  inputPath: string,
  signal: AbortSignal,
): Promise<Error | undefined> {
  const cause = {
    ending: box.ending,
    exitCode: box.exitCode,
    signal: box.signal,
    report: untrustedReport,
    stderr: box.untrustedStderr.slice(0, 2_000),
  }
  switch (box.ending) {
    case 'wall-limit':
    case 'cpu-limit':
      return failed.timeout(
        `The document took longer than ${officeWallSeconds} seconds to lay out. Split it or simplify it.`,
        cause,
      )
    case 'disk-limit':
      return failed.tooComplex('The document needs more disk space than a conversion may use.', cause)
    case 'cancelled':
      return signal.reason instanceof Error ? signal.reason : new Error('The conversion was cancelled.')
    case 'killed':
    case 'exited':
      break
  }
  if (untrustedReport.startsWith('done')) return undefined
  // Out of memory while writing is reported as a write error; the disk has a limit and an ending of its own.
  const shortOfMemory = /bad_alloc|out of memory|cannot allocate|^failed store .*Class:Write/is
  if (shortOfMemory.test(untrustedReport) || shortOfMemory.test(box.untrustedStderr)) {
    return failed.tooComplex('The document needs more memory than a conversion may use.', cause)
  }
  if (untrustedReport.startsWith('failed load')) {
    if (await isEncryptedWorkbook(inputPath)) {
      return failed.passwordProtected(
        'The workbook is protected by a password. Remove the password and upload it again.',
        cause,
      )
    }
    return failed.corruptInput(
      'The document is damaged: LibreOffice cannot open it. Open it in the program it comes from and save it anew.',
      cause,
    )
  }
  if (box.signal === 'SIGSEGV' || box.signal === 'SIGABRT' || box.signal === 'SIGBUS') {
    return failed.corruptInput(
      'The document is damaged in a way that stops LibreOffice while reading it.',
      cause,
    )
  }
  return new Error(`LibreOffice ended without a result: ${JSON.stringify(cause)}`)
}

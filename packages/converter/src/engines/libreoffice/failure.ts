import { unknownVersion } from '../../catalog/file-types/iwork.ts'
import { isEncryptedWorkbook } from '../../catalog/file-types/variant.ts'
import { failed } from '../../failure.ts'
import { causeOf, type EngineSentences, judgeEnding } from '../judge-ending.ts'
import type { OfficeResult } from './cold-soffice.ts'
import { officeWallSeconds } from './soffice-sandbox.ts'

// Maps the outcome of a LibreOffice run to failures of the interface. Its exit status is meaningless: it is 0 even if
// the document could not be loaded. The report of our macro counts.

const crashed = 'The document is damaged in a way that stops LibreOffice while reading it.'

const sentences: EngineSentences = {
  tooLong: `The document took longer than ${officeWallSeconds} seconds to lay out. Split it or simplify it.`,
  tooLarge: 'The document needs more disk space than a conversion may use.',
  outOfMemory: 'The document needs more memory than a conversion may use.',
  crashed,
}

/** A forked LibreOffice handles some crashes itself and exits with status 1. */
const ownCrashHandler = /^Unspecified Application Error/m

// Running out of memory while writing is reported as a write error; disk space has its own limit and failure.
const shortOfMemory = /bad_alloc|out of memory|cannot allocate|^failed store .*Class:Write/is

/** Undefined if the run succeeded. An Error other than ConversionFailed is our fault and is retried. */
export async function officeFailure(
  { result, untrustedReport }: OfficeResult,
  inputPath: string,
  signal: AbortSignal,
  hadPassword = false,
): Promise<Error | undefined> {
  const isDone = untrustedReport.startsWith('done')
  const outOfMemory = shortOfMemory.test(untrustedReport) || shortOfMemory.test(result.untrustedStderr)
  const report = isDone ? 'done' : outOfMemory ? 'out-of-memory' : undefined
  const cause = causeOf(result, 'LibreOffice', untrustedReport)
  const pages = /^failed pages (\d{1,6})/.exec(untrustedReport)?.[1]
  if (pages !== undefined) {
    return failed.unsupported(
      `The PDF would have ${pages === '1' ? 'one page' : `${pages} pages`}; none of those in the option \`pages\` is there.`,
      cause,
    )
  }
  const failedToLoad = untrustedReport.startsWith('failed load')
  // A crash after a document could not be loaded adds no information.
  const judged = judgeEnding(
    failedToLoad && result.ending === 'killed' ? { ...result, ending: 'exited' } : result,
    {
      engine: 'LibreOffice',
      sentences,
      signal,
      report,
    },
  )
  if (judged ?? isDone) return judged
  if (ownCrashHandler.test(result.untrustedStderr)) return failed.corruptInput(crashed, cause)
  if (!failedToLoad) return cause
  if (hadPassword) return wrongPassword(cause)
  if (await isEncryptedWorkbook(inputPath)) {
    return failed.passwordProtected(
      'The workbook is protected by a password. Remove the password and upload it again, or give it in the option `password`.',
      cause,
    )
  }
  if (/\.(?:pages|numbers|key)$/.test(inputPath)) return unknownVersion(cause)
  return failed.corruptInput(
    'The document is damaged: LibreOffice cannot open it. Open it in the program it comes from and save it again.',
    cause,
  )
}

const wrongPassword = (cause?: unknown): Error =>
  failed.passwordProtected(
    'The password in the option `password` does not open the document. Check it and try again.',
    cause,
  )

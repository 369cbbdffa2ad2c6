import { fileURLToPath } from 'node:url'
import type { BoxResult, Sandbox } from '../../sandbox/sandbox.ts'
import { fontPlaces, fontRules } from '../fonts.ts'
import { causeOf, type EngineSentences, judgeEnding } from '../judge-ending.ts'

// Chromium prints one web archive, in the box.
//
// Its own sandbox cannot be built inside ours (no user namespace may be made there), so it runs with
// --no-sandbox. That is acceptable only because it is inside the box: without network, without files but
// the page, as an unprivileged user. Never use these flags outside.

const mebibyte = 1024 * 1024
const policies = fileURLToPath(new URL('./policies', import.meta.url))

const printWallSeconds = 120

export const archiveName = 'page.mhtml'

export interface PrintJob {
  sandbox: Sandbox
  inFolder: string
  /** Holds the archive; gets the PDF. */
  outFolder: string
  outputName: string
  signal: AbortSignal
}

export async function printArchive(job: PrintJob): Promise<void> {
  const result = await job.sandbox.run({
    ...chromiumBox,
    inFolder: job.inFolder,
    outFolder: job.outFolder,
    args: [
      ...memoryLimit,
      ...flags,
      '--no-pdf-header-footer',
      '--generate-pdf-document-outline',
      `--print-to-pdf=/out/${job.outputName}`,
      `file:///out/${archiveName}`,
    ],
    signal: job.signal,
  })
  const failure = printFailure(result, job.signal)
  if (failure) throw failure
}

const program = '/usr/lib/chromium/chromium'

// Chromium reserves terabytes of addresses that it never uses, so the limit on addresses means nothing
// to it. What counts is the memory that it may write to.
const memoryLimit = [`--data=${2048 * mebibyte}`, '--', program]

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--disable-breakpad',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-service-autorun',
  '--mute-audio',
  '--user-data-dir=/tmp/chromium',
  '--font-render-hinting=none',
  '--proxy-server=socks5://127.0.0.1:9',
]

export const chromiumBox = {
  program: '/usr/bin/prlimit',
  readOnly: [...fontPlaces, { from: policies, to: '/etc/chromium/policies' }],
  proc: true,
  environment: {
    XDG_CONFIG_HOME: '/tmp/config',
    XDG_CACHE_HOME: '/tmp/cache',
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    ...(fontRules === undefined ? {} : { FONTCONFIG_FILE: fontRules }),
  },
  limits: {
    wallSeconds: printWallSeconds,
    cpuSeconds: 100,
    memoryBytes: 64 * 1024 * 1024 * mebibyte,
    processes: 256,
    fileBytes: 512 * mebibyte,
    diskBytes: 768 * mebibyte,
    logBytes: 64 * 1024,
  },
}

const sentences: EngineSentences = {
  tooLong: `The page took longer than ${printWallSeconds} seconds to lay out and print. Split it or simplify it.`,
  tooLarge: 'The page needs more disk space than a conversion may use.',
  // It ends by a signal when it is short of memory.
  outOfMemory: 'The page needs more memory than a conversion may use.',
}

function printFailure(result: BoxResult, signal: AbortSignal): Error | undefined {
  // It says how many bytes it wrote, and nothing at all when the page crashed.
  const isDone = /bytes written to file/.test(result.untrustedStderr + result.untrustedStdout)
  const outOfMemory = /out of memory|OOM|bad_alloc/i.test(result.untrustedStderr)
  const report = isDone ? 'done' : outOfMemory ? 'out-of-memory' : undefined
  const judged = judgeEnding(result, { engine: 'Chromium', sentences, signal, report })
  return judged ?? (isDone ? undefined : causeOf(result, 'Chromium'))
}

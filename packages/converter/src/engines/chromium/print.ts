import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { PrintSettings } from '../../catalog/options/internal.ts'
import { failed } from '../../failure.ts'
import type { Findings } from '../../report/findings.ts'
import type { PrewarmedProgram } from '../../sandbox/prewarmed-process.ts'
import type { SandboxResult, SandboxSpec } from '../../sandbox/sandbox.ts'
import type { EngineRun } from '../engine.ts'
import { type Fonts, fontEnvironment } from '../fonts.ts'
import { causeOf, type EngineSentences, judgeEnding } from '../judge-ending.ts'

// Chromium prints one web archive. sandboxed-programs/print-page.mjs controls it, in the same sandbox.
//
// Its own sandbox cannot be built inside ours (no user namespace may be made there), so it runs with
// --no-sandbox. That is acceptable only because it is inside the sandbox: without network, without files but
// the page, as an unprivileged user. Never use these flags outside.

const mebibyte = 1024 * 1024
const policies = fileURLToPath(new URL('./policies', import.meta.url))
const programs = fileURLToPath(new URL('../../../sandboxed-programs', import.meta.url))

const printWallSeconds = 120
/** Exit status of sandboxed-programs/print-page.mjs. */
const noSuchPages = 4

export const archiveName = 'page.mhtml'

// The headless shell is Chromium without the parts that need a display: it starts in half the time, with a third of the
// CPU time. A machine that was set up by an earlier version has only the full Chromium.
const shell = '/usr/lib/chromium/chromium-headless-shell'
const whole = '/usr/lib/chromium/chromium'
export const findChromium = (): string => (existsSync(shell) || !existsSync(whole) ? shell : whole)

/** Prints the archive in the run's output directory, and reports the contents of the page. */
export async function printArchive(
  run: EngineRun,
  printer: PrewarmedProgram,
  outputName: string,
  { withContents, settings }: { withContents: boolean; settings: PrintSettings | undefined },
): Promise<Findings> {
  const prewarmed = await run.open(printer)
  const result = await prewarmed.give({
    args: [
      `file:///out/${archiveName}`,
      `/out/${outputName}`,
      withContents ? 'contents' : 'plain',
      JSON.stringify(settings ?? null),
    ],
  })
  const failure = printFailure(result, run.signal)
  if (failure) throw failure
  return chromiumFindings(result.untrustedStdout)
}

// Chromium reserves terabytes of addresses that it never uses, so the limit on addresses means nothing
// to it. What counts is the memory that it may write to.
const memoryLimit = [`--data=${2048 * mebibyte}`, '--']

// A page of its own in a sandbox of its own: processes for the GPU, the network and forks would only take a tenth more CPU.
// Pages keep a process of their own, so that a page that crashes is reported.
const flags = [
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  '--no-zygote',
  '--headless',
  '--remote-debugging-pipe',
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

export const chromiumSandbox = ({ places, rules }: Fonts) =>
  ({
    program: '/usr/bin/prlimit',
    readOnly: [...places, { from: policies, to: '/etc/chromium/policies' }],
    proc: true,
    environment: {
      XDG_CONFIG_HOME: '/tmp/config',
      XDG_CACHE_HOME: '/tmp/cache',
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      // Node would look for one in /etc, which is not in the sandbox.
      OPENSSL_CONF: '/dev/null',
      ...fontEnvironment(rules),
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
  }) satisfies Partial<SandboxSpec>

export const printerOf = (chromium: string, fonts: Fonts): PrewarmedProgram => ({
  ...chromiumSandbox(fonts),
  args: [...memoryLimit, '/kiln/node', '--no-warnings', '/kiln/programs/print-page.mjs', chromium, ...flags],
  readOnly: [
    ...chromiumSandbox(fonts).readOnly,
    { from: process.execPath, to: '/kiln/node' },
    { from: programs, to: '/kiln/programs' },
  ],
})

const sentences: EngineSentences = {
  tooLong: `The page took longer than ${printWallSeconds} seconds to lay out and print. Split it or simplify it.`,
  tooLarge: 'The page needs more disk space than a conversion may use.',
  // It ends by a signal when it is short of memory.
  outOfMemory: 'The page needs more memory than a conversion may use.',
}

function printFailure(result: SandboxResult, signal: AbortSignal): Error | undefined {
  // The most likely reason of a crashed page is a lack of memory.
  const outOfMemory = /^page crashed|out of memory|OOM|bad_alloc/im.test(result.untrustedStderr)
  const report = result.exitCode === 0 ? 'done' : outOfMemory ? 'out-of-memory' : undefined
  if (result.ending === 'exited' && result.exitCode === noSuchPages)
    return failed.unsupported(
      'The page ranges exceed the number of pages. Check them.',
      causeOf(result, 'Chromium'),
    )
  const judged = judgeEnding(result, { engine: 'Chromium', sentences, signal, report })
  return judged ?? (report === 'done' ? undefined : causeOf(result, 'Chromium'))
}

/** The report about the page, in a line of JSON. It comes from the sandbox, so every field is validated. */
function chromiumFindings(untrustedStdout: string): Findings {
  const line = untrustedStdout.split('\n').find((each) => each.startsWith('{"seen":')) ?? '{}'
  try {
    const { seen, product } = JSON.parse(line) as { seen?: Record<string, unknown>; product?: unknown }
    const count = (name: string) => Number(seen?.[name] ?? 0)
    const version = /\/(\d+(?:\.\d+)*)$/.exec(String(product ?? ''))?.[1]
    return {
      ...(version === undefined ? {} : { version }),
      input: { pictures: count('pictures') },
      leftOut: {
        'remote-pictures': count('remotePictures'),
        'missing-pictures': count('missingPictures'),
        'remote-styles': count('remoteStyles'),
        scripts: count('scripts'),
        frames: count('frames'),
      },
    }
  } catch {
    // Not the expected JSON: the report lacks these findings.
    return {}
  }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { nativeHelpers } from '../../native-helpers.ts'
import type { LongLivedProcess } from '../../sandbox/long-lived-process.ts'
import type { Limits, Sandbox } from '../../sandbox/sandbox.ts'
import { type Fonts, fontEnvironment } from '../fonts.ts'
import { type OfficeJob, planEnvironment } from './cold-soffice.ts'
import { fontRulesPath } from './font-rules.ts'
import type { Plan } from './plan.ts'
import { sofficeSandbox } from './soffice-sandbox.ts'
import type { DocumentFolder } from './warm-folders.ts'
import { createDecoder, encodeMessage } from './warm-messages.ts'
import { warmUpDocuments } from './warm-up-documents.ts'

// One fork server (native/office) in its sandbox, from start to exit. It starts, converts the warm-up documents, and
// then accepts documents, several at once, until it is asked to retire, is killed, or crashes. If it crashes, its
// documents are rejected with ServerGone.

export class ServerGone extends Error {
  override readonly name = 'ServerGone'
}

/** The process hung or could not be created, through no fault of the document, which may be converted cold. */
export class ChildUseless extends Error {
  override readonly name = 'ChildUseless'
}

export interface Finished {
  ending: 'done' | 'exit' | 'signal' | 'deadline' | 'stuck' | 'cancelled' | 'unbuilt'
  /** Exit status, or signal number. */
  code: number
  cpuSeconds: number
}

export interface Running {
  finished: Promise<Finished>
  /** The child's PID in its PID namespace, once it is known. */
  process(): number | undefined
  cancel(): void
}

export interface WarmServer {
  readonly process: LongLivedProcess
  readonly limits: Limits
  convert(plan: Plan, job: OfficeJob, folder: DocumentFolder): Running
  /** The font rules file that a child reads in addition to those that the server has read. */
  fontRulesFor(plan: Plan): string | undefined
  /** Number of pre-warmed children; none before the first call. */
  keepSpares(count: number): void
  /** A child could not be created: later ones will fail too. */
  isBroken(): boolean
  /** Private memory of the server after its last document. */
  memoryKilobytes(): number
  documents(): number
  /** Stops it; only for a server without documents. */
  retire(): void
  readonly ended: Promise<void>
  hasEnded(): boolean
}

const binary = join(nativeHelpers, 'kiln-office')
const installation = '/usr/lib/libreoffice/program'
const startSeconds = 120
// The server counts as hung this long after its own deadline for a document.
const graceMilliseconds = 10_000

/** Why no server can be started here; undefined if one can. */
export function reasonAgainstWarm(sandbox: Sandbox): string | undefined {
  if (!sandbox.start) return `the sandbox level "${sandbox.level}" cannot keep a process`
  if (!existsSync(binary)) return 'the fork server is not built: run make -C packages/converter/native'
  return undefined
}

export interface StartOptions {
  sandbox: Sandbox
  workFolder: string
  profile: string
  fonts: Fonts
  /** Replace the default limits. */
  limits?: Partial<Limits> | undefined
  /** Host folder of a LibreOffice other than the system's. */
  installation?: string
}

export async function startWarmServer(options: StartOptions): Promise<WarmServer> {
  const { sandbox, workFolder, profile, fonts } = options
  if (!sandbox.start) throw new Error('This sandbox cannot keep a process.')
  const usual = sofficeSandbox(fonts)
  const limits = { ...usual.limits, ...options.limits }
  const other = options.installation === undefined ? [] : [{ from: options.installation, to: '/office' }]
  const sandboxed = await sandbox.start({
    program: '/bin/sh',
    args: [
      '-c',
      script,
      'office',
      other[0]?.to ?? installation,
      'file:///jobs/server/profile',
      ...readable(fonts),
    ],
    workFolder,
    readOnly: [
      ...usual.readOnly,
      ...other,
      { from: profile, to: '/profile' },
      { from: binary, to: '/kiln-office' },
    ],
    environment: { ...serverEnvironment, ...fontEnvironment(fonts.rules) },
    limits: {
      memoryBytes: limits.memoryBytes,
      fileBytes: limits.fileBytes,
      processes: 1024,
      logBytes: 64 * 1024,
    },
  })
  return await connect(sandboxed, { limits, fonts })
}

const serverEnvironment = {
  // LibreOffice renders without a display.
  SAL_USE_VCLPLUGIN: 'svp',
  // Resolves symbols once, before the fork, and not again in every child.
  LD_BIND_NOW: '1',
  // Takes a tenth less CPU time than the C library's allocator, on all kinds of documents. If it is not installed, the
  // loader prints a warning and continues. One arena, because every fork copies every arena.
  LD_PRELOAD: 'libjemalloc.so.2',
  MALLOC_CONF: 'narenas:1',
  MALLOC_ARENA_MAX: '2',
}

// Fonts embedded in a document are extracted below the profile, which a child may not write to. The link points each
// process to the temporary folder of its own job.
const script = `cp -r /profile profile && mkdir -p profile/user && rm -rf profile/user/temp || exit 1
ln -s /proc/self/cwd/tmp profile/user/temp || exit 1
exec /kiln-office "$@"`

const readable = ({ places }: Fonts) => [
  '/usr',
  '/etc/ld.so.cache',
  '/etc/alternatives',
  '/etc/libreoffice',
  '/var/lib/libreoffice',
  '/jobs/server/profile',
  ...places.map(({ to }) => to),
]

async function connect(
  sandboxed: LongLivedProcess,
  { limits, fonts }: Pick<StartOptions, 'fonts'> & { limits: Limits },
): Promise<WarmServer> {
  const send = (fields: readonly string[]) => sandboxed.requests.write(encodeMessage(fields))
  const waiting = new Map<string, { resolve(fields: string[]): void; reject(error: Error): void }>()
  const progressOf = new Map<string, (fraction: number) => void>()
  const processOf = new Map<string, number>()
  let broken = false
  let number = 0
  let memory = 0
  let over = false

  const answerTo = (key: string, seconds: number) =>
    new Promise<string[]>((resolve, reject) => {
      if (over) return reject(new ServerGone('The fork server has ended.'))
      // A server that does not answer in time hangs. The timer also keeps this process alive while it waits.
      const timer = setTimeout(() => sandboxed.kill(), seconds * 1000)
      const settled = () => {
        clearTimeout(timer)
        waiting.delete(key)
      }
      waiting.set(key, {
        resolve(fields) {
          settled()
          resolve(fields)
        },
        reject(error) {
          settled()
          reject(error)
        },
      })
    })
  const decode = createDecoder((fields) => {
    const [word, id = '', figure] = fields
    if (word === 'progress') return progressOf.get(id)?.(Number(figure) / 100)
    if (word === 'started') return void processOf.set(id, Number(figure))
    waiting.get(word === 'finished' || word === 'refused' ? `document ${id}` : (word ?? ''))?.resolve(fields)
  })
  sandboxed.answers.on('data', (chunk: Buffer) => {
    try {
      decode(chunk)
    } catch {
      sandboxed.kill()
    }
  })
  sandboxed.answers.on('error', () => {})
  const ended = sandboxed.ended.then(({ untrustedStderr }) => {
    over = true
    for (const { reject } of [...waiting.values()])
      reject(
        new ServerGone(`The fork server ended: ${untrustedStderr.slice(-500).trim() || 'without a word'}`),
      )
    if (!sandboxed.answers.destroyed) sandboxed.answers.destroy()
  })

  for (const { name, plan } of warmUpDocuments) {
    send([
      'warm',
      ...assignments(plan, { source: `/in/${name}`, outputName: 'sample.pdf' }, sandboxed, fonts),
    ])
    await answerTo('warmed', startSeconds)
  }
  send(['serve', '0'])
  await answerTo('ready', startSeconds)

  return {
    process: sandboxed,
    limits,
    ended,
    hasEnded: () => over,
    memoryKilobytes: () => memory,
    documents: () => number,
    isBroken: () => broken,
    fontRulesFor: (plan) => furtherRulesOf(plan, fonts),
    retire: () => sandboxed.requests.end(),
    keepSpares: (count) => send(['spares', String(count)]),
    convert(plan, job, folder) {
      number += 1
      const id = String(number)
      if (job.onProgress) progressOf.set(id, job.onProgress)
      const cpuSeconds = Math.min(limits.cpuSeconds, job.cpuSeconds ?? limits.cpuSeconds)
      const answer = answerTo(`document ${id}`, limits.wallSeconds + graceMilliseconds / 1000)
      send([
        'convert',
        id,
        folder.inside,
        String(limits.wallSeconds * 1000),
        String(cpuSeconds),
        String(limits.memoryBytes),
        String(limits.fileBytes),
        ...assignments(plan, job, sandboxed, fonts),
      ])
      const finished = answer.then((fields) => {
        if (fields[0] !== 'finished') throw new ServerGone(`The fork server refused: ${fields[2]}`)
        const [, , ending, ...figures] = fields
        const [code = 0, kilobytes = 0, cpuMilliseconds = 0] = figures.map(Number)
        memory = kilobytes
        broken ||= ending === 'unbuilt'
        return { ending: ending as Finished['ending'], code, cpuSeconds: cpuMilliseconds / 1000 }
      })
      const forget = () => {
        progressOf.delete(id)
        processOf.delete(id)
      }
      finished.then(forget, forget)
      return { finished, process: () => processOf.get(id), cancel: () => send(['cancel', id]) }
    },
  }
}

const furtherRulesOf = (plan: Plan, { furtherRulesOfWord }: Fonts): string | undefined =>
  plan.wordLines ? furtherRulesOfWord : undefined

function assignments(
  plan: Plan,
  job: Pick<OfficeJob, 'source' | 'outputName' | 'passwordFile'>,
  sandboxed: LongLivedProcess,
  fonts: Fonts,
): string[] {
  // Set for every child: it would otherwise inherit the value of the last warm-up document.
  const rules = { KILN_FONT_RULES: fontRulesPath(plan, furtherRulesOf(plan, fonts)) ?? '' }
  return Object.entries({ ...planEnvironment(plan, job), ...rules }).map(
    ([name, value]) => `${name}=${sandboxed.inside(value)}`,
  )
}

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RunningBox } from '../../sandbox/long-lived-box.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { type OfficeJob, planEnvironment } from './cold-soffice.ts'
import type { Plan } from './plan.ts'
import { sofficeBox } from './soffice-box.ts'
import type { DocumentFolder } from './warm-folders.ts'
import { createDecoder, encodeMessage } from './warm-messages.ts'
import { warmUpSamples } from './warm-samples.ts'

// One fork server (native/office) in its box, from the start to the end. It starts, converts the samples,
// and then takes documents, several at once, until it is told to retire, is killed, or dies. When it dies,
// whatever it was at work on is rejected with ServerGone.

export class ServerGone extends Error {
  override readonly name = 'ServerGone'
}

export interface Finished {
  ending: 'done' | 'exit' | 'signal' | 'deadline' | 'cancelled'
  /** Exit code, or number of the signal. */
  code: number
  milliseconds: number
  cpuMilliseconds: number
}

export interface WarmServer {
  readonly box: RunningBox
  convert(plan: Plan, job: OfficeJob, folder: DocumentFolder): { finished: Promise<Finished>; cancel(): void }
  /** What the server itself holds in memory of its own, as of its last document. */
  memoryKilobytes(): number
  documents(): number
  /** Ends when its last document is done. */
  retire(): void
  readonly ended: Promise<void>
}

const binary = fileURLToPath(new URL('../../../../../native/build/kiln-office', import.meta.url))
const installation = '/usr/lib/libreoffice/program'
const startSeconds = 120
// Two levels above the deadline that the server itself keeps, for the case that it does not.
const graceMilliseconds = 10_000

/** Why there can be none, or nothing. */
export function reasonAgainstWarm(sandbox: Sandbox): string | undefined {
  if (!sandbox.start) return `the sandbox level "${sandbox.level}" cannot keep a box`
  if (!existsSync(binary)) return 'the fork server is not built: run make -C native'
  return undefined
}

export interface StartOptions {
  sandbox: Sandbox
  workFolder: string
  profile: string
  spares: number
}

export async function startWarmServer(options: StartOptions): Promise<WarmServer> {
  const { sandbox, workFolder, profile, spares } = options
  if (!sandbox.start) throw new Error('This sandbox cannot keep a box.')
  const { readOnly, limits } = sofficeBox({ inFolder: '', outFolder: '' })
  const box = await sandbox.start({
    program: '/bin/sh',
    args: ['-c', script, 'office', installation, 'file:///jobs/server/profile', ...readable],
    workFolder,
    readOnly: [...readOnly, { from: profile, to: '/profile' }, { from: binary, to: '/kiln-office' }],
    // LibreOffice draws without a screen, and keeps few arenas: every arena is copied by every fork.
    environment: { SAL_USE_VCLPLUGIN: 'svp', MALLOC_ARENA_MAX: '2' },
    limits: { memoryBytes: limits.memoryBytes, fileBytes: limits.fileBytes, processes: 1024, logBytes: 64 * 1024 },
  })
  return await connect(box, spares, limits)
}

const script = `cp -r /profile profile || exit 1
exec /kiln-office "$@"`

const readable = [
  ...['/usr', '/etc/ld.so.cache', '/etc/alternatives', '/etc/fonts', '/etc/libreoffice'],
  ...['/var/lib/libreoffice', '/var/cache/fontconfig', '/jobs/server/profile'],
]

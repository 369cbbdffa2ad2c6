import { createBubblewrapSandbox } from './bubblewrap.ts'
import { reachableScratchRoot } from './engine-access.ts'
import { findEngineUser } from './engine-user.ts'
import type { Sandbox, SandboxLevel } from './sandbox.ts'
import { type Check, selfTest } from './self-test.ts'

export interface SandboxLog {
  info(message: string): void
  warn(message: string): void
}

/** For health and `doctor`. */
export interface SandboxReport {
  level: SandboxLevel
  user: string
  checks: readonly Check[]
  /** Why better levels could not be used. */
  reasons: readonly string[]
  milliseconds: number
}

export interface OpenSandbox {
  sandbox: Sandbox
  report: SandboxReport
  /** Where job folders may be made so that engines reach them: `preferred` if they can, else a fresh folder. */
  scratchRoot(preferred: string): Promise<string>
  close(): Promise<void>
}

interface Level {
  level: SandboxLevel
  create(): Promise<Sandbox & { close(): Promise<void> }>
}

export async function openSandbox(options: {
  allowUnsandboxed: boolean
  log: SandboxLog
}): Promise<OpenSandbox> {
  const started = performance.now()
  const user = await findEngineUser()
  const levels: Level[] = [{ level: 'bubblewrap', create: () => createBubblewrapSandbox(user) }]
  const reasons: string[] = []
  for (const { level, create } of levels) {
    const sandbox = await create()
    const checks = await selfTest(sandbox, user).catch((error: unknown) => String(error))
    const faults =
      typeof checks === 'string' ? [checks] : checks.filter(({ ok }) => !ok).map(({ name }) => name)
    if (typeof checks !== 'string' && faults.length === 0) {
      const milliseconds = performance.now() - started
      options.log.info(`Sandbox: ${level}, engines run as ${user.name}, ${checks.length} checks passed.`)
      return {
        sandbox,
        report: { level, user: user.name, checks, reasons, milliseconds },
        scratchRoot: (preferred) => reachableScratchRoot(preferred, user),
        close: () => sandbox.close(),
      }
    }
    await sandbox.close()
    reasons.push(`${level}: ${faults.join('; ')}`)
  }
  throw new Error(refusal(reasons))
}

function refusal(reasons: readonly string[]): string {
  return [
    'Kiln will not run engines without a sandbox, and none works on this machine.',
    ...reasons.map((reason) => `  ${reason}`),
    'See docs/sandbox.md, which says what each level needs.',
    'On a machine where every file is your own, KILN_ALLOW_UNSANDBOXED=1 starts without one.',
  ].join('\n')
}

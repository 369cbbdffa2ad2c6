import { rmdir } from 'node:fs/promises'
import type { Log } from '../log.ts'
import { type ClosableSandbox, createSandbox } from './create-sandbox.ts'
import { endLeftovers } from './end-leftovers.ts'
import { closeToOthers, reachableScratchRoot } from './engine-access.ts'
import { type EngineUser, findEngineUser } from './engine-user.ts'
import type { Sandbox, SandboxLevel } from './sandbox.ts'
import { type Check, selfTest } from './self-test.ts'

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
  /** A directory for job directories that engines can reach: `preferred` if they can, else a new one. */
  scratchRoot(preferred: string): Promise<string>
  /** Closes a directory to other local users; engines may pass through it. */
  closeToOthers(folder: string): Promise<void>
  /** Kills engines that still run in these directories because their service was killed. Returns how many. */
  endLeftovers(folders: readonly string[]): Promise<number>
  close(): Promise<void>
}

const bestFirst = ['bubblewrap', 'landlock'] as const

/**
 * At a level without mounts, temporary files are below the scratch directory, whose path gets up to 35 characters longer.
 * Chromium opens a socket another 45 characters down, and the kernel allows 107 for the whole path.
 */
const maxScratchRootLength = { bubblewrap: undefined, landlock: 27, none: 27 }

/** The best level that works here, tested; or an error that says why none does. */
export async function openSandbox(options: {
  allowUnsandboxed: boolean
  log: Log
  /** Levels to try, best first; a test omits some. */
  levels?: readonly (typeof bestFirst)[number][]
}): Promise<OpenSandbox> {
  const startedAt = performance.now()
  const user = await findEngineUser()
  const reasons: string[] = []
  const replacementRoots = new Set<string>()
  const opened = (sandbox: ClosableSandbox, checks: readonly Check[]): OpenSandbox => ({
    sandbox,
    report: {
      level: sandbox.level,
      user: user.name,
      checks,
      reasons,
      milliseconds: performance.now() - startedAt,
    },
    async scratchRoot(preferred) {
      const root = await reachableScratchRoot(preferred, user, maxScratchRootLength[sandbox.level])
      if (root !== preferred) replacementRoots.add(root)
      return root
    },
    closeToOthers: (folder) => closeToOthers(folder, user),
    endLeftovers: (folders) => endLeftovers(folders, user.uid),
    async close() {
      await sandbox.close()
      // Fails for a directory that is not empty: another process of the service uses it.
      for (const root of replacementRoots) await rmdir(root).catch(() => {})
    },
  })

  let weak: LevelTest | undefined
  for (const level of options.levels ?? bestFirst) {
    const tried = await tryLevel(level, user)
    if (tried.faults.length === 0 && tried.sandbox) {
      await weak?.sandbox?.close()
      options.log.info(
        `Sandbox: ${level}, engines run as ${user.name}, ${tried.checks.length} checks passed.`,
      )
      for (const reason of reasons) options.log.warn(`Sandbox: not at a better level. ${reason}`)
      return opened(tried.sandbox, tried.checks)
    }
    reasons.push(`${level}: ${tried.faults.join('; ')}`)
    if (weak?.sandbox) await tried.sandbox?.close()
    else weak = tried
  }
  if (!options.allowUnsandboxed) {
    await weak?.sandbox?.close()
    throw new Error(refusal(reasons))
  }
  if (weak?.sandbox) {
    options.log.warn(
      `Sandbox: ${weak.sandbox.level}, which is not safe here, as allowed. ${reasons.join(' ')}`,
    )
    return opened(weak.sandbox, weak.checks)
  }
  options.log.warn(
    `Sandbox: NONE, as allowed. A file that takes over an engine has the rights of ${user.name}.`,
  )
  return opened(await createSandbox('none', user), [])
}

interface LevelTest {
  /** Absent where no sandbox can be built at all. */
  sandbox?: ClosableSandbox
  checks: readonly Check[]
  faults: readonly string[]
}

async function tryLevel(level: SandboxLevel, user: EngineUser): Promise<LevelTest> {
  let sandbox: ClosableSandbox | undefined
  try {
    sandbox = await createSandbox(level, user)
    const checks = await selfTest(sandbox, user)
    const faults = checks.filter(({ ok }) => !ok).map(({ name }) => `an engine ${name}: no`)
    return { sandbox, checks, faults }
  } catch (error) {
    await sandbox?.close()
    return { checks: [], faults: [error instanceof Error ? error.message.trim() : String(error)] }
  }
}

function refusal(reasons: readonly string[]): string {
  return [
    'Kiln will not run engines without a sandbox, and none works on this machine.',
    ...reasons.map((reason) => `  ${reason}`),
    'See docs/sandbox.md, which says what each level needs.',
    'On a machine where every file is your own, KILN_ALLOW_UNSANDBOXED=1 starts with what works of it, or without.',
  ].join('\n')
}

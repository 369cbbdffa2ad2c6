import { closeSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { removeTree } from '../remove-tree.ts'
import { createBubblewrapLevel } from './bubblewrap.ts'
import { cancelledBeforeStart } from './endings.ts'
import { giveFolders, letEngineIn, makeTemporaryFolder } from './engine-access.ts'
import type { EngineUser } from './engine-user.ts'
import { type FilterFile, openFilterFile } from './filter-file.ts'
import { createLandlockLevel } from './landlock.ts'
import type { Level } from './level.ts'
import { noSandbox } from './no-sandbox.ts'
import { withHostPaths, withMounts } from './path-translation.ts'
import { enclosureOf, enclosureOfLongLived } from './policy.ts'
import { createReadableCopies, type ReadableCopies } from './readable-copies.ts'
import { finishCommand, startCommand } from './run-command.ts'
import type { Sandbox, SandboxLevel, SandboxSpec } from './sandbox.ts'
import { startLongLived } from './start-long-lived.ts'
import { type Built, captureInside, startPrewarmed, withInsidePaths } from './start-prewarmed.ts'

// Creates a sandbox from a level: the parts that all levels share.

export interface ClosableSandbox extends Sandbox {
  /** Removes the copies of Kiln's own files that were made for the engine user. */
  close(): Promise<void>
}

const levels: Record<SandboxLevel, (user: EngineUser, copies: ReadableCopies) => Level | Promise<Level>> = {
  bubblewrap: createBubblewrapLevel,
  landlock: createLandlockLevel,
  none: () => noSandbox,
}

/** `change` is for tests, which remove a protection to prove that the self-test notices. */
export async function createSandbox(
  name: SandboxLevel,
  user: EngineUser,
  change: (level: Level) => Level = (level) => level,
): Promise<ClosableSandbox> {
  const copies = createReadableCopies(user)
  const level = change(await levels[name](user, copies))
  const translate = level.mounts ? withMounts : withHostPaths
  const filter = level.filter && (await openFilterFile(level.filter.runOnce))
  const longLivedFilter = level.filter && (await openFilterFile(level.filter.longLived))

  const build = async (
    spec: Omit<SandboxSpec, 'signal' | 'onStdoutLine'>,
    waits: boolean,
  ): Promise<Built> => {
    const startedAt = Date.now()
    letEngineIn(spec.inFolder, spec.outFolder, user)
    const files = await copies.readableFiles(spec.readOnly)
    const temporary = level.mounts
      ? undefined
      : await makeTemporaryFolder(dirname(resolve(spec.outFolder)), user)
    const { enclosure, toHost, toInside } = translate(enclosureOf(spec, files, temporary, waits))
    return {
      toHost,
      toInside,
      start: (stdin) =>
        withFilter(filter, (descriptor) =>
          startCommand({
            command: level.command(enclosure),
            user,
            filter: descriptor,
            stdin,
            logBytes: spec.limits.logBytes,
          }),
        ),
      watched: {
        watchedFolders: [spec.outFolder, ...(temporary === undefined ? [] : [temporary])],
        outcome: level.outcome,
        orphan: level.orphan,
      },
      letIn: () => letEngineIn(spec.inFolder, spec.outFolder, user),
      async clear() {
        await level.afterRun?.(enclosure, startedAt)
        if (temporary !== undefined) await removeTree(temporary)
      },
    }
  }

  const run: Sandbox['run'] = async (spec) => {
    if (spec.signal?.aborted) return cancelledBeforeStart
    const built = await build(spec, false)
    try {
      const started = await built.start('ignore')
      const stdout = captureInside(started, built, spec)
      return withInsidePaths(await finishCommand(started, { spec, stdout, ...built.watched }), built)
    } finally {
      await built.clear()
    }
  }

  const start: NonNullable<Sandbox['start']> = async (spec) => {
    const files = await copies.readableFiles(spec.readOnly)
    await giveFolders(join(spec.workFolder, 'server'), user)
    const { enclosure, toHost } = translate(enclosureOfLongLived(spec, files))
    return withFilter(longLivedFilter, (descriptor) =>
      startLongLived({
        command: level.command(enclosure),
        user,
        filter: descriptor,
        logBytes: spec.limits.logBytes,
        inside: toHost,
      }),
    )
  }

  return {
    level: level.name,
    run,
    open: async (program, folders) => startPrewarmed(program, await build({ ...program, ...folders }, true)),
    ...(longLivedFilter ? { start } : {}),
    async close() {
      filter?.close()
      longLivedFilter?.close()
      await copies.remove()
    },
  }
}

/** Opens the filter again for each start, because the child reads its descriptor to the end. */
async function withFilter<T>(
  filter: FilterFile | undefined,
  use: (descriptor: number | undefined) => Promise<T>,
): Promise<T> {
  const descriptor = filter?.open()
  try {
    return await use(descriptor)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

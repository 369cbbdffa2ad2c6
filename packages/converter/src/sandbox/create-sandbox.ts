import { closeSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { removeTree } from '../remove-tree.ts'
import { createBubblewrapLevel } from './bubblewrap.ts'
import { cancelledBeforeStart } from './endings.ts'
import { giveFolders, letEngineIn, makeTemporaryFolder } from './engine-access.ts'
import type { EngineUser } from './engine-user.ts'
import { type FilterFile, openFilterFile } from './filter-file.ts'
import { keepCommand } from './keep-command.ts'
import { createLandlockLevel } from './landlock.ts'
import type { Level } from './level.ts'
import { type Built, captureInside, openBox, withInsidePaths } from './open-box.ts'
import { withHostPaths, withMounts } from './path-translation.ts'
import { enclosureOf, enclosureOfLongLived } from './policy.ts'
import { createReadableCopies, type ReadableCopies } from './readable-copies.ts'
import { finishCommand, startCommand } from './run-command.ts'
import type { Box, Sandbox, SandboxLevel } from './sandbox.ts'
import { unboxed } from './unboxed.ts'

// From a level to a sandbox: what is the same at every level.

export interface ClosableSandbox extends Sandbox {
  /** Removes the copies of Kiln's own files that were made for the engine user. */
  close(): Promise<void>
}

const levels: Record<SandboxLevel, (user: EngineUser, copies: ReadableCopies) => Level | Promise<Level>> = {
  bubblewrap: createBubblewrapLevel,
  landlock: createLandlockLevel,
  none: () => unboxed,
}

/** `change` is for tests, which take a defence out to see that it is missed. */
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

  const build = async (box: Omit<Box, 'signal' | 'onStdoutLine'>, waits: boolean): Promise<Built> => {
    const startedAt = Date.now()
    letEngineIn(box.inFolder, box.outFolder, user)
    const files = await copies.readableFiles(box.readOnly)
    const temporary = level.mounts
      ? undefined
      : await makeTemporaryFolder(dirname(resolve(box.outFolder)), user)
    const { enclosure, toHost, toInside } = translate(enclosureOf(box, files, temporary, waits))
    return {
      ...{ toHost, toInside },
      start: (stdin) =>
        withFilter(filter, (descriptor) =>
          startCommand({
            ...{ command: level.command(enclosure), user, filter: descriptor, stdin },
            logBytes: box.limits.logBytes,
          }),
        ),
      watched: {
        watchedFolders: [box.outFolder, ...(temporary === undefined ? [] : [temporary])],
        outcome: level.outcome,
      },
      letIn: () => letEngineIn(box.inFolder, box.outFolder, user),
      async clear() {
        await level.afterRun?.(enclosure, startedAt)
        if (temporary !== undefined) await removeTree(temporary)
      },
    }
  }

  const run: Sandbox['run'] = async (box) => {
    if (box.signal?.aborted) return cancelledBeforeStart
    const built = await build(box, false)
    try {
      const started = built.start('ignore')
      const stdout = captureInside(started, built, box)
      return withInsidePaths(await finishCommand(started, { box, stdout, ...built.watched }), built)
    } finally {
      await built.clear()
    }
  }

  const start: NonNullable<Sandbox['start']> = async (box) => {
    const files = await copies.readableFiles(box.readOnly)
    await giveFolders(join(box.workFolder, 'server'), user)
    const { enclosure, toHost } = translate(enclosureOfLongLived(box, files))
    return withFilter(longLivedFilter, (descriptor) =>
      keepCommand({
        command: level.command(enclosure),
        user,
        filter: descriptor,
        logBytes: box.limits.logBytes,
        inside: toHost,
      }),
    )
  }

  return {
    level: level.name,
    run,
    open: async (program, folders) => openBox(program, await build({ ...program, ...folders }, true)),
    ...(longLivedFilter ? { start } : {}),
    async close() {
      filter?.close()
      longLivedFilter?.close()
      await copies.remove()
    },
  }
}

/** Whoever is started gets a descriptor of its own. */
function withFilter<T>(filter: FilterFile | undefined, use: (descriptor: number | undefined) => T): T {
  const descriptor = filter?.open()
  try {
    return use(descriptor)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

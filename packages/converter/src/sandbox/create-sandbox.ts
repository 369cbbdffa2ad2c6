import { closeSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { removeTree } from '../remove-tree.ts'
import { createBubblewrapLevel } from './bubblewrap.ts'
import { giveFolders, letEngineIn, makeTemporaryFolder } from './engine-access.ts'
import type { EngineUser } from './engine-user.ts'
import { type FilterFile, openFilterFile } from './filter-file.ts'
import { keepCommand } from './keep-command.ts'
import { createLandlockLevel } from './landlock.ts'
import type { Level } from './level.ts'
import { withHostPaths, withMounts } from './path-translation.ts'
import { enclosureOf, enclosureOfLongLived } from './policy.ts'
import { createReadableCopies, type ReadableCopies } from './readable-copies.ts'
import { runCommand } from './run-command.ts'
import type { Sandbox, SandboxLevel } from './sandbox.ts'
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

  const run: Sandbox['run'] = async (box) => {
    const startedAt = Date.now()
    letEngineIn(box.inFolder, box.outFolder, user)
    const files = await copies.readableFiles(box.readOnly)
    const temporary = level.mounts
      ? undefined
      : await makeTemporaryFolder(dirname(resolve(box.outFolder)), user)
    try {
      const { enclosure, toInside } = translate(enclosureOf(box, files, temporary))
      const { onStdoutLine } = box
      const result = await withFilter(filter, (descriptor) =>
        runCommand({
          box: onStdoutLine ? { ...box, onStdoutLine: (line) => onStdoutLine(toInside(line)) } : box,
          command: level.command(enclosure),
          user,
          filter: descriptor,
          watchedFolders: [box.outFolder, ...(temporary === undefined ? [] : [temporary])],
          outcome: level.outcome,
        }),
      )
      await level.afterRun?.(enclosure, startedAt)
      return {
        ...result,
        untrustedStdout: toInside(result.untrustedStdout),
        untrustedStderr: toInside(result.untrustedStderr),
      }
    } finally {
      if (temporary !== undefined) await removeTree(temporary)
    }
  }

  const start: NonNullable<Sandbox['start']> = async (box) => {
    const files = await copies.readableFiles(box.readOnly)
    await giveFolders(join(box.workFolder, 'server'), user)
    const { enclosure, toHost } = translate(enclosureOfLongLived(box, files))
    return withFilter(longLivedFilter, async (descriptor) =>
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
    ...(longLivedFilter ? { start } : {}),
    async close() {
      filter?.close()
      longLivedFilter?.close()
      await copies.remove()
    },
  }
}

/** The filter stays open until the command is over, which reads it as it starts. */
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

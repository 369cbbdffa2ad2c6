import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Box, BoxResult, Limits, Sandbox } from '../../sandbox/sandbox.ts'
import { probeLimits } from './limits.ts'

// A program that loads before its arguments are known. ffmpeg and ffprobe spend a tenth of a second on
// binding their libraries, and the three stages of one conversion would pay for it one after the other.
// So a later stage is prepared while an earlier one works: its box is built, its libraries are loaded, and
// native/held-start holds it before it reads anything. The arguments come as a file in /in, which no
// program in a box can write. Where the library was not built or does not work, a prepared program is
// simply started when its arguments are there: slower, with the same result.

export interface PreparedProgram {
  /** Runs it with these arguments; those that were named as paths keep their place in the box. */
  start(args: readonly string[]): Promise<BoxResult>
  /** Ends it if it waits. Always to be called. */
  abandon(): Promise<void>
}

export interface Preparation {
  program: 'ffmpeg' | 'ffprobe'
  /** The paths among the later arguments. A box without mounts has to know them at its start. */
  paths: readonly string[]
  limits: Limits
  onStdoutLine?: (untrustedLine: string) => void
}

export interface Folders {
  sandbox: Sandbox
  inFolder: string
  outFolder: string
  signal: AbortSignal
}

const library = fileURLToPath(new URL('../../../native/build/kiln-held-start.so', import.meta.url))
const libraryInside = '/kiln-held-start.so'
const patienceMilliseconds = 3000

/** Without loading ahead. */
export function startLater(folders: Folders, preparation: Preparation): PreparedProgram {
  return {
    start: (args) => folders.sandbox.run({ ...boxOf(folders, preparation), args }),
    abandon: async () => {},
  }
}

/** Loads the program now. Only where `canHold` says that it can be held. */
export function holdProgram(folders: Folders, preparation: Preparation): PreparedProgram {
  const { sandbox, inFolder } = folders
  const { program, paths } = preparation
  const ticket = `${program}-${crypto.randomUUID()}`
  const abandoned = new AbortController()
  const running = sandbox.run({
    ...boxOf(folders, preparation),
    args: paths,
    signal: AbortSignal.any([folders.signal, abandoned.signal]),
    readOnly: [{ from: library, to: libraryInside }],
    environment: {
      LD_PRELOAD: libraryInside,
      KILN_HELD_PROGRAM: program,
      KILN_HELD_ARGUMENTS: `/in/${ticket}`,
    },
  })
  // Told to whoever calls start; a program that is abandoned may end as it likes.
  running.catch(() => {})
  let isStarted = false
  return {
    async start(args) {
      isStarted = true
      await deliver(inFolder, ticket, encode(args, paths))
      return running
    },
    async abandon() {
      // One that waits is told to end. A killed box would stay in the table of processes until process 1 takes note.
      if (!isStarted) await deliver(inFolder, ticket, '').catch(() => abandoned.abort())
      const patience = setTimeout(() => abandoned.abort(), isStarted ? 0 : patienceMilliseconds)
      await running.catch(() => {})
      clearTimeout(patience)
      await rm(join(inFolder, ticket), { force: true })
    },
  }
}

const boxOf = (
  { inFolder, outFolder, signal }: Folders,
  { program, limits, onStdoutLine }: Preparation,
): Omit<Box, 'args'> => ({
  program,
  inFolder,
  outFolder,
  signal,
  limits,
  ...(onStdoutLine ? { onStdoutLine } : {}),
})

/** Arguments as held-start.c reads them. */
export const encode = (args: readonly string[], paths: readonly string[]): string =>
  args.map((arg) => `${paths.includes(arg) ? `\x01${paths.indexOf(arg) + 1}` : arg}\0`).join('')

async function deliver(folder: string, name: string, text: string): Promise<void> {
  const unfinished = join(folder, `${name}.unfinished`)
  await writeFile(unfinished, text)
  await chmod(unfinished, 0o644)
  await rename(unfinished, join(folder, name))
}

const holding = new WeakMap<Sandbox, Promise<boolean>>()

/** Tried once per sandbox: a preloaded library depends on the C library and on the box. */
export function canHold(sandbox: Sandbox): Promise<boolean> {
  const known = holding.get(sandbox) ?? tryToHold(sandbox)
  holding.set(sandbox, known)
  return known
}

async function tryToHold(sandbox: Sandbox): Promise<boolean> {
  if (!existsSync(library) || availableParallelism() < 2) return false
  const folder = await mkdtemp(join(tmpdir(), 'kiln-held-'))
  const folders = {
    sandbox,
    inFolder: join(folder, 'in'),
    outFolder: join(folder, 'out'),
    signal: AbortSignal.timeout(10_000),
  }
  try {
    await mkdir(folders.inFolder)
    await mkdir(folders.outFolder)
    const held = holdProgram(folders, { program: 'ffprobe', paths: ['/out/path'], limits: probeLimits })
    try {
      const { exitCode, untrustedStdout } = await held.start(['-version'])
      return exitCode === 0 && untrustedStdout.startsWith('ffprobe version')
    } finally {
      await held.abandon()
    }
  } catch {
    return false
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

import { closeSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadableCopies } from './engine-access.ts'
import type { EngineUser } from './engine-user.ts'
import type { FilterFile } from './filter-file.ts'
import { giveFolders } from './give-folder.ts'
import { keepRunning } from './keep-running.ts'
import type { LongLivedBox, RunningBox } from './long-lived-box.ts'
import { translatePaths } from './path-translation.ts'
import { readablePlaces } from './readable-places.ts'

// The policy of landlock.ts, with these differences:
// - one folder to write, the work folder, for all that the program does;
// - the program may give each process that it forks a session of its own. They die with it: each asks
//   the kernel for that, and their own filter lets them start nothing;
// - no limit of CPU seconds and no wall clock.

const openFiles = 512
// What others of the same user, in this container or another, may have more of in all the time it lives.
const processesOfOthers = 2048
const century = 3_155_760_000
const environment = { PATH: '/usr/bin:/bin', HOME: '/tmp', TMPDIR: '/tmp', LANG: 'C.UTF-8' }

export interface LandlockParts {
  jail: string
  programs: readonly string[]
  devices: readonly string[]
  user: EngineUser
  copies: ReadableCopies
  /** One that does not hold the process group. */
  filter: FilterFile
}

export async function startInLandlock(box: LongLivedBox, parts: LandlockParts): Promise<RunningBox> {
  const { jail, programs, devices, user, copies, filter } = parts
  const files = await readablePlaces(box.readOnly, copies)
  const places = [
    { inside: '/jobs', outside: box.workFolder },
    ...['in', 'out', 'tmp'].map((name) => ({ inside: `/${name}`, outside: `/proc/self/cwd/${name}` })),
    ...files.map(({ from, to }) => ({ inside: to, outside: from })),
  ]
  const inside = (text: string) => translatePaths(text, places)
  const readable = [...programs.filter((path) => existsSync(path)), '/proc', ...files.map(({ from }) => from)]
  await giveFolders(join(box.workFolder, 'server'), user)
  const filterDescriptor = filter.open()
  try {
    return keepRunning({
      command: jail,
      args: [
        ...['--status', '4', '--seccomp', '3'],
        ...readable.flatMap((path) => ['--read', path]),
        ...devices.filter((path) => existsSync(path)).flatMap((path) => ['--device', path]),
        ...['--write', box.workFolder],
        ...limitFlags(box),
        ...['--', inside(box.program), ...box.args.map(inside)],
      ],
      descriptors: [filterDescriptor, 'ignore'],
      user,
      logBytes: box.limits.logBytes,
      workingFolder: join(box.workFolder, 'server'),
      environment: Object.fromEntries(
        Object.entries({ ...environment, ...box.environment }).map(([name, value]) => [name, inside(value)]),
      ),
      inside,
    })
  } finally {
    closeSync(filterDescriptor)
  }
}

function limitFlags({ limits }: LongLivedBox): string[] {
  return [
    ...['--as', String(limits.memoryBytes), '--fsize', String(limits.fileBytes)],
    ...['--cpu', String(century), '--nofile', String(openFiles)],
    ...['--nproc', String(limits.processes + processesOfOthers)],
  ]
}

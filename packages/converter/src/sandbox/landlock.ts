import { existsSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { nativeHelpers } from '../native-helpers.ts'
import { signalName } from './endings.ts'
import type { EngineUser } from './engine-user.ts'
import { filterDescriptor, type Level, type Outcome, statusDescriptor } from './level.ts'
import { type Enclosure, linkerFiles, openFiles, programFolders } from './policy.ts'
import { readProcFile } from './proc-files.ts'
import type { ReadableCopies } from './readable-copies.ts'
import { seccompFilter } from './seccomp/filter.ts'

// The second level, for places that forbid namespaces (an ordinary container): Landlock, through native/jail.
// Where it falls short of the policy:
// - The box has no view of its own. Every other file of the machine may be seen to exist, never opened, and an
//   engine with /proc sees the names of processes. It sees host paths, which are taken out of what it says.
// - Processes have no namespace. So the filter keeps everybody in the process group that is killed in the end,
//   and signals to a process outside are refused by the kernel where it can, by the filter where it cannot.
//   In a long-lived box the program may give each process that it forks a session of its own. They die with
//   it: each asks the kernel for that, and their own filter lets them start nothing.
// - Processes are counted per user, over all containers of the machine. So the limit is set above those that
//   run at the moment, with room for what starts meanwhile; boxes that run side by side share what is left.
// - /tmp is a folder on disk, made for the run, watched like the output and removed after it.

const jail = join(nativeHelpers, 'kiln-jail')
const devices = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom']
// What others of the same user may start while a box runs, while it waits before, or in all the time that a
// long-lived one lives.
const processesOfOthers = { runOnce: 96, waiting: 256, longLived: 2048 }
const century = 3_155_760_000

export async function createLandlockLevel(user: EngineUser, copies: ReadableCopies): Promise<Level> {
  if (!existsSync(jail)) throw new Error('the jail is not built: run make -C packages/converter/native')
  const command = await copies.readablePath(jail)
  return {
    name: 'landlock',
    mounts: false,
    filter: {
      runOnce: seccompFilter(process.arch, { holdProcessGroup: true }),
      longLived: seccompFilter(process.arch, { holdProcessGroup: false }),
    },
    command: (enclosure) => ({
      command,
      args: [
        ...['--status', String(statusDescriptor), '--seccomp', String(filterDescriptor)],
        ...placeFlags(enclosure),
        ...limitFlags(enclosure),
        ...['--', enclosure.program, ...enclosure.args],
      ],
      environment: enclosure.environment,
      workingFolder: enclosure.workingFolder,
    }),
    outcome,
    async afterRun({ proc }, startedAt) {
      if (proc) await removeSockets('/tmp', user.uid, startedAt)
    },
  }
}

function placeFlags({ places, proc, limits }: Enclosure): string[] {
  const outside = (access: 'read' | 'write') =>
    places.flatMap((place) => (place.access === access ? [place.outside] : []))
  const programs = [...programFolders, ...linkerFiles].filter((path) => existsSync(path))
  return [
    ...[...programs, ...(proc ? ['/proc'] : []), ...outside('read')].flatMap((path) => ['--read', path]),
    ...devices.filter((path) => existsSync(path)).flatMap((path) => ['--device', path]),
    ...outside('write').flatMap((path) => ['--write', path]),
    // LibreOffice opens a socket in /tmp, wherever its temporary folder is, and ends if it cannot.
    ...(proc && limits.cpuSeconds !== undefined ? ['--socket', '/tmp'] : []),
  ]
}

function limitFlags({ limits, waits }: Enclosure): string[] {
  const { cpuSeconds } = limits
  const others = waits
    ? processesOfOthers[cpuSeconds === undefined ? 'longLived' : 'waiting']
    : processesOfOthers.runOnce
  return [
    ...['--as', String(limits.memoryBytes), '--fsize', String(limits.fileBytes)],
    ...['--cpu', String(cpuSeconds ?? century), '--nofile', String(openFiles)],
    ...['--nproc', String(limits.processes + others)],
  ]
}

/**
 * What the box may make in the shared folder it may not remove: that is done here. A socket that somebody still has
 * open is another box's, or of a program that runs as the same user.
 */
async function removeSockets(folder: string, uid: number, startedAt: number): Promise<void> {
  const open = new Set(
    readProcFile('/proc/net/unix')
      .split('\n')
      .map((line) => line.split(' ').at(-1)),
  )
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isSocket()) continue
    const path = join(folder, entry.name)
    const status = await lstat(path).catch(() => undefined)
    const isNew = status?.isSocket() && status.uid === uid && status.ctimeMs >= startedAt - 1000
    if (isNew && !open.has(path)) await rm(path, { force: true })
  }
}

function outcome(report: string): Outcome | undefined {
  const [, word, figure] = /^(exit|signal) (\d+)\n/.exec(report) ?? []
  if (word === undefined) return undefined
  if (word === 'exit') return { exitCode: Number(figure) }
  return { signal: signalName(Number(figure)) ?? `signal ${figure}` }
}

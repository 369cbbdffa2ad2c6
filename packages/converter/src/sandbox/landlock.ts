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

// The second level, for machines that forbid namespaces (an ordinary container): Landlock, through native/jail.
// Where it falls short of the policy:
// - There is no mount namespace. An engine can see that other files of the machine exist, but not open them, and an
//   engine with /proc sees the names of processes. It sees host paths, which are removed from its output.
// - There is no process namespace. So the filter keeps every process in the process group that is killed in the end,
//   and signals to a process outside are refused by the kernel if it can, otherwise by the filter.
//   A long-lived process may create a session for each process that it forks. These die with it: each sets a parent
//   death signal, and its own filter lets it start nothing.
// - Processes are counted per user, over all containers of the machine. So the limit is set above the number that runs
//   now, with room for what starts meanwhile; concurrent sandboxes share that room.
// - /tmp is a directory on disk, created for the run, checked like the output and removed after it.

const jail = join(nativeHelpers, 'kiln-jail')
const devices = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom']
// How many processes the same user may start elsewhere during one run, while a pre-warmed process waits, or during the
// life of a long-lived one.
const processesOfOthers = { runOnce: 96, prewarmed: 256, longLived: 2048 }
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
        '--status',
        String(statusDescriptor),
        '--seccomp',
        String(filterDescriptor),
        ...placeFlags(enclosure),
        ...limitFlags(enclosure),
        '--',
        enclosure.program,
        ...enclosure.args,
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
  const readable = [...programs, ...(proc ? ['/proc'] : []), ...outside('read')]
  return [
    ...readable.flatMap((path) => ['--read', path]),
    ...devices.filter((path) => existsSync(path)).flatMap((path) => ['--device', path]),
    ...outside('write').flatMap((path) => ['--write', path]),
    // LibreOffice opens a socket in /tmp, regardless of TMPDIR, and exits if it cannot.
    ...(proc && limits.cpuSeconds !== undefined ? ['--socket', '/tmp'] : []),
  ]
}

function limitFlags({ limits, waits }: Enclosure): string[] {
  const { cpuSeconds } = limits
  const others = waits
    ? processesOfOthers[cpuSeconds === undefined ? 'longLived' : 'prewarmed']
    : processesOfOthers.runOnce
  const flags: [string, number][] = [
    ['--as', limits.memoryBytes],
    ['--fsize', limits.fileBytes],
    ['--cpu', cpuSeconds ?? century],
    ['--nofile', openFiles],
    ['--nproc', limits.processes + others],
  ]
  return flags.flatMap(([flag, value]) => [flag, String(value)])
}

/**
 * Removes the sockets that the sandbox created in the shared directory, where it may create but not remove them. One that
 * is still open belongs to another sandbox, or to a program that runs as the same user.
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
    // It may have been removed since the directory was read.
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

import { closeSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadableCopies } from './engine-access.ts'
import type { EngineUser } from './engine-user.ts'
import type { FilterFile } from './filter-file.ts'
import { giveFolders } from './give-folder.ts'
import { keepRunning } from './keep-running.ts'
import type { LongLivedBox, RunningBox } from './long-lived-box.ts'
import { readablePlaces } from './readable-places.ts'

// The policy of bubblewrap.ts, with these differences:
// - one folder to write, /jobs, in place of /in and /out; these and /tmp lead to the working folder of
//   whoever asks, through /proc/self/cwd;
// - no limit of CPU seconds and no wall clock: it serves until it is told to end or we end.

const command = '/usr/bin/bwrap'
const openFiles = 512
const environment = { PATH: '/usr/bin:/bin', HOME: '/tmp', TMPDIR: '/tmp', LANG: 'C.UTF-8' }

export async function startInBubblewrap(
  box: LongLivedBox,
  user: EngineUser,
  copies: ReadableCopies,
  filter: FilterFile,
): Promise<RunningBox> {
  const mounts = await readablePlaces(box.readOnly, copies)
  await giveFolders(join(box.workFolder, 'server'), user)
  const filterDescriptor = filter.open()
  try {
    return keepRunning({
      command,
      args: [
        ...boxFlags(box),
        ...mounts.flatMap(({ from, to }) => ['--ro-bind', from, to]),
        ...['--remount-ro', '/dev', '--remount-ro', '/', '--seccomp', '3', '--'],
        ...limitFlags(box),
        box.program,
        ...box.args,
      ],
      descriptors: [filterDescriptor],
      user,
      logBytes: box.limits.logBytes,
      workingFolder: '/',
      inside: (text) => text,
    })
  } finally {
    closeSync(filterDescriptor)
  }
}

function boxFlags(box: LongLivedBox): string[] {
  const variables = Object.entries({ ...environment, ...box.environment })
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--hostname', 'sandbox'],
    ...['--die-with-parent', '--new-session', '--clearenv'],
    ...variables.flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/sbin', '/sbin'],
    ...['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
    ...['--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache'],
    ...['--ro-bind-try', '/etc/alternatives', '/etc/alternatives'],
    ...['--dev', '/dev', '--proc', '/proc'],
    ...['in', 'out', 'tmp'].flatMap((name) => ['--symlink', `/proc/self/cwd/${name}`, `/${name}`]),
    ...['--bind', box.workFolder, '/jobs', '--chdir', '/jobs/server'],
  ]
}

function limitFlags({ limits }: LongLivedBox): string[] {
  return [
    '/usr/bin/prlimit',
    `--as=${limits.memoryBytes}`,
    `--fsize=${limits.fileBytes}`,
    `--nproc=${limits.processes}`,
    `--nofile=${openFiles}`,
    '--core=0',
    '--',
  ]
}

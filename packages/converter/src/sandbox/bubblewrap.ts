import { closeSync } from 'node:fs'
import { constants } from 'node:os'
import { createReadableCopies, openJobFolders } from './engine-access.ts'
import type { EngineUser } from './engine-user.ts'
import { openFilterFile } from './filter-file.ts'
import { launch } from './launch.ts'
import { startInBubblewrap } from './long-lived-bubblewrap.ts'
import { withProgramPath } from './program-path.ts'
import type { Box, Sandbox } from './sandbox.ts'
import { seccompFilter } from './seccomp/filter.ts'

// The policy, in prose; the flags that enforce it stand below in the same order.
//
// An engine is treated as if its file had already taken it over. So it gets
// - a user without rights: the service leaves root before bubblewrap starts, never after;
// - namespaces of its own for users, processes, network, mounts, IPC, host name and cgroups, and no way
//   to make more. The network has no interface that is up; outside processes have no number inside;
// - an end with ours: it dies with the service, and holds no terminal of ours;
// - an empty environment but for what is written here: nothing of the service's settings can leak;
// - programs and libraries read-only, and of /etc only what the dynamic linker, fonts and alternatives need.
//   No /etc/passwd, no home, no data folder, no other job;
// - no /proc unless it cannot run without (LibreOffice, Chromium): /proc/self/mountinfo names host paths;
// - its input read-only at /in, one folder to write at /out, and a /tmp in memory with a cap.
//   Everything else, / and /dev too, is read-only;
// - a filter of system calls (seccomp/filter.ts);
// - limits on memory, CPU seconds, processes, open files and the size of one file, set inside the user
//   namespace, because the kernel counts processes per namespace there and per user outside.

const command = '/usr/bin/bwrap'
const temporaryBytes = 256 * 1024 * 1024
const openFiles = 512

const environment = { PATH: '/usr/bin:/bin', HOME: '/tmp', TMPDIR: '/tmp', LANG: 'C.UTF-8' }

export interface BubblewrapSandbox extends Sandbox {
  readonly level: 'bubblewrap'
  /** Removes the copies of Kiln's own files that were made for the engine user. */
  close(): Promise<void>
}

export async function createBubblewrapSandbox(user: EngineUser): Promise<BubblewrapSandbox> {
  const copies = createReadableCopies(user)
  const filter = await openFilterFile(seccompFilter(process.arch, { holdProcessGroup: false }))
  return {
    level: 'bubblewrap',
    async run(given) {
      const box = withProgramPath(given)
      openJobFolders(box.inFolder, box.outFolder, user)
      const mounts = await readOnlyMounts(box, copies.readablePath)
      const filterDescriptor = filter.open()
      try {
        return await launch(box, {
          command,
          args: ({ status, extra }) => [
            ...boxFlags(box, mounts),
            ...['--json-status-fd', String(status), '--seccomp', String(extra[0]), '--'],
            ...limitFlags(box),
            box.program,
            ...box.args,
          ],
          extraDescriptors: [filterDescriptor],
          user,
          watchedFolders: [box.outFolder],
          readStatus,
        })
      } finally {
        closeSync(filterDescriptor)
      }
    },
    start: (box) => startInBubblewrap(box, user, copies, filter),
    async close() {
      filter.close()
      await copies.remove()
    },
  }
}

function boxFlags(box: Box, mounts: readonly string[]): string[] {
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--hostname', 'sandbox'],
    ...['--die-with-parent', '--new-session'],
    '--clearenv',
    ...Object.entries({ ...environment, ...box.environment }).flatMap(([name, value]) => [
      '--setenv',
      name,
      value,
    ]),
    ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/sbin', '/sbin'],
    ...['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
    ...['--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache'],
    ...['--ro-bind-try', '/etc/alternatives', '/etc/alternatives'],
    ...['--dev', '/dev', ...(box.proc ? ['--proc', '/proc'] : [])],
    ...['--size', String(Math.min(temporaryBytes, box.limits.diskBytes)), '--tmpfs', '/tmp'],
    ...['--ro-bind', box.inFolder, '/in', '--bind', box.outFolder, '/out', '--chdir', '/out'],
    ...mounts,
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
  ]
}

function limitFlags({ limits }: Box): string[] {
  return [
    '/usr/bin/prlimit',
    `--as=${limits.memoryBytes}`,
    // At the first figure the kernel sends SIGXCPU, which we can tell from other ends; at the second SIGKILL.
    `--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + 1}`,
    `--fsize=${limits.fileBytes}`,
    `--nproc=${limits.processes}`,
    `--nofile=${openFiles}`,
    '--core=0',
    '--',
  ]
}

async function readOnlyMounts(box: Box, readablePath: (path: string) => Promise<string>): Promise<string[]> {
  const mounts: string[] = []
  for (const { from, to, optional } of box.readOnly ?? []) {
    try {
      mounts.push('--ro-bind', await readablePath(from), to)
    } catch (error) {
      if (!optional || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return mounts
}

// bwrap reports `{ "exit-code": N }` only if the command was really started, and N is 128 + the signal
// where a signal ended it.
function readStatus(report: string): { exitCode: number } | { signal: string } | undefined {
  const reported = /"exit-code":\s*(\d+)/.exec(report)?.[1]
  if (reported === undefined) return undefined
  const code = Number(reported)
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0]
  return signal === undefined ? { exitCode: code } : { signal }
}

import { closeSync, existsSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createReadableCopies } from './engine-access.ts'
import type { EngineUser } from './engine-user.ts'
import { openFilterFile } from './filter-file.ts'
import { startInLandlock } from './long-lived-landlock.ts'
import type { Box, Sandbox } from './sandbox.ts'
import { seccompFilter } from './seccomp/filter.ts'
import { type HostPaths, runWithoutMounts } from './without-mounts.ts'

// The second level, for places that forbid namespaces (an ordinary container). The policy in prose;
// native/jail enforces it.
//
// An engine gets
// - a user without rights, as at the first level;
// - Landlock: it may open programs and libraries, its input and Kiln's own files for reading, and write in
//   its output folder and in a temporary folder that is removed after the run. Every other file of the
//   machine may be seen to exist, never opened. No TCP, no signal to a process outside (by the kernel
//   where it can, by the filter where it cannot);
// - the same filter of system calls, which also keeps everybody in the process group that is killed in
//   the end, and refuses to change the limits of another process;
// - the same limits. Processes are counted per user here, over all containers of the machine, so the limit
//   is set above those that are running at the moment, with some room for what starts meanwhile; boxes that
//   run side by side share what is left.
//
// Weaker than the first level: there is no view of its own. Names of processes (where an engine needs
// /proc) and of files can be seen. The program sees host paths, which are taken out of what it says.

const jail = fileURLToPath(new URL('../../native/build/kiln-jail', import.meta.url))
const openFiles = 512
// What other boxes of the same user may start while one runs.
const processesOfOthers = 96

const programs = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc/ld.so.cache', '/etc/alternatives']
const devices = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom']

export interface LandlockSandbox extends Sandbox {
  readonly level: 'landlock'
  close(): Promise<void>
}

export async function createLandlockSandbox(user: EngineUser): Promise<LandlockSandbox> {
  if (!existsSync(jail)) throw new Error('the jail is not built: run make -C native')
  const copies = createReadableCopies(user)
  const command = await copies.readablePath(jail)
  const filter = await openFilterFile(seccompFilter(process.arch, { holdProcessGroup: true }))
  const filterOfLongLived = await openFilterFile(seccompFilter(process.arch, { holdProcessGroup: false }))
  return {
    level: 'landlock',
    async run(box) {
      const started = Date.now()
      const filterDescriptor = filter.open()
      try {
        return await runWithoutMounts(box, user, copies, (paths) => ({
          command,
          args: ({ status, extra }) => [
            ...['--status', String(status), '--seccomp', String(extra[0])],
            ...placeFlags(box, paths),
            ...limitFlags(box),
            ...['--', ...paths.commandLine],
          ],
          extraDescriptors: [filterDescriptor],
          readStatus,
        }))
      } finally {
        closeSync(filterDescriptor)
        if (box.proc) await removeSockets('/tmp', user.uid, started)
      }
    },
    start: (box) =>
      startInLandlock(box, { jail: command, programs, devices, user, copies, filter: filterOfLongLived }),
    async close() {
      filterOfLongLived.close()
      filter.close()
      await copies.remove()
    },
  }
}

/** What the box may make in the shared folder it may not remove: that is done here. */
async function removeSockets(folder: string, uid: number, since: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isSocket()) continue
    const path = join(folder, entry.name)
    const status = await lstat(path).catch(() => undefined)
    if (status?.isSocket() && status.uid === uid && status.ctimeMs >= since - 1000)
      await rm(path, { force: true })
  }
}

function placeFlags(box: Box, { readOnly, temporaryFolder }: HostPaths): string[] {
  const proc = box.proc ? ['/proc'] : []
  const readable = [...programs.filter((path) => existsSync(path)), ...proc, box.inFolder, ...readOnly]
  return [
    ...readable.flatMap((path) => ['--read', path]),
    ...devices.filter((path) => existsSync(path)).flatMap((path) => ['--device', path]),
    ...[box.outFolder, temporaryFolder].flatMap((path) => ['--write', path]),
    // LibreOffice opens a socket in /tmp, wherever its temporary folder is, and ends if it cannot.
    ...(box.proc ? ['--socket', '/tmp'] : []),
  ]
}

function limitFlags({ limits }: Box): string[] {
  return [
    ...['--as', String(limits.memoryBytes), '--fsize', String(limits.fileBytes)],
    ...['--cpu', String(limits.cpuSeconds), '--nofile', String(openFiles)],
    ...['--nproc', String(limits.processes + processesOfOthers)],
  ]
}

function readStatus(report: string): { exitCode: number } | { signal: string } | undefined {
  const [, word, figure] = /^(exit|signal) (\d+)\n/.exec(report) ?? []
  if (word === undefined) return undefined
  if (word === 'exit') return { exitCode: Number(figure) }
  const name = Object.entries(constants.signals).find(([, number]) => number === Number(figure))?.[0]
  return { signal: name ?? `signal ${figure}` }
}

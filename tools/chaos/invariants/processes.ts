import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { scratchFolder } from '../../../packages/server/src/wiring/open-parts.ts'
import type { Invariant } from '../system-state.ts'

// No process of the service exited by itself, and no process that it started is left. An engine is identified by the
// folder of this run, in its arguments, its working directory or the mounts of its sandbox.

export const processesLive: Invariant = {
  name: 'no process ended by itself, and no engine is left',
  async check({ fleet, root }) {
    const faults = [...fleet.members.values()].flatMap((member) => member.unexpectedEnds())
    let left = await processesOf(root)
    for (let tries = 0; left.length > 0 && tries < 20; tries++) {
      await sleep(100)
      left = await processesOf(root)
    }
    return [...faults, ...left.map((words) => `still running: ${words}`)]
  },
}

const scratch = `/${scratchFolder}/`
const ownDatabase = /postgres|swift-|haproxy/

async function processesOf(root: string): Promise<string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    if (Number(pid) === process.pid) continue
    const [command, stat, mounts, folder] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
      readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
      readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => ''),
      readlink(`/proc/${pid}/cwd`).catch(() => ''),
    ])
    const isDead = stat === '' || /\) [ZX] /.test(stat)
    // The disk of this run is mounted for all; only a scratch directory is mounted into a sandbox.
    const inSandbox = mounts.split('\n').some((line) => line.includes(`${root}/`) && line.includes(scratch))
    const ours = command.includes(root) || folder.startsWith(root) || inSandbox
    if (ours && !isDead && !ownDatabase.test(command))
      found.push(`${pid} ${command.replaceAll('\0', ' ').slice(0, 200)}`)
  }
  return found
}

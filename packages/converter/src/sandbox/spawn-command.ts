import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import type { EngineUser } from './engine-user.ts'
import { inheritedDescriptors } from './inherited-descriptors.ts'
import type { Command } from './level.ts'

// Every box starts here: in a process group of its own, as the engine user, with no variable and no
// descriptor of ours but those listed.

const inherited = inheritedDescriptors()
const nothing = openSync('/dev/null', 'r+')

export interface Descriptors {
  stdin: 'ignore' | 'pipe'
  status: 'nobody-reads' | 'pipe'
  filter: number | undefined
}

export function spawnCommand(command: Command, user: EngineUser, descriptors: Descriptors): ChildProcess {
  const { stdin, filter } = descriptors
  // Above stderr, 'ignore' would leave the descriptor closed, and bwrap ends if it cannot report.
  const status = descriptors.status === 'pipe' ? 'pipe' : nothing
  return spawn(command.command, command.args, {
    detached: true,
    env: { ...command.environment },
    cwd: command.workingFolder,
    ...(user.drop ? { uid: user.uid, gid: user.gid } : {}),
    stdio: coverInherited([stdin, 'pipe', 'pipe', status, ...(filter === undefined ? [] : [filter])]),
  })
}

/** SIGKILL to everything in the box: an engine that is busy or hostile ignores SIGTERM. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // ESRCH: all gone already.
  }
}

type Stdio = ('ignore' | 'pipe' | number)[]

// A place left at `ignore` above stderr stays as it is, so what was inherited is covered by name.
function coverInherited(stdio: Stdio): Stdio {
  const covered = [...stdio]
  for (const descriptor of inherited) {
    while (covered.length <= descriptor) covered.push('ignore')
    if (descriptor >= stdio.length) covered[descriptor] = nothing
  }
  return covered
}

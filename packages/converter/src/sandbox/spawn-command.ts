import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, readFileSync, writeFileSync } from 'node:fs'
import type { EngineUser } from './engine-user.ts'
import { inheritedDescriptors } from './inherited-descriptors.ts'
import type { Command } from './level.ts'

// Every sandbox starts here: in a new process group, as the engine user, and with no environment variable or file
// descriptor of the service except those listed.

const inherited = inheritedDescriptors()
const devNull = openSync('/dev/null', 'r+')

export interface Descriptors {
  stdin: 'ignore' | 'pipe'
  status: 'discarded' | 'pipe'
  filter: number | undefined
}

export function spawnCommand(command: Command, user: EngineUser, descriptors: Descriptors): ChildProcess {
  const { stdin, filter } = descriptors
  // Above stderr, 'ignore' would leave the descriptor closed, and bwrap ends if it cannot report.
  const status = descriptors.status === 'pipe' ? 'pipe' : devNull
  return asFirstOomVictim(() =>
    spawn(command.command, command.args, {
      detached: true,
      env: { ...command.environment },
      cwd: command.workingFolder,
      ...(user.drop ? { uid: user.uid, gid: user.gid } : {}),
      stdio: coverInherited([stdin, 'pipe', 'pipe', status, ...(filter === undefined ? [] : [filter])]),
    }),
  )
}

const ownOomScore = '/proc/self/oom_score_adj'
const maxOomScore = '1000'

/**
 * The OOM killer of the kernel takes the process with the highest score first: it should be an engine, never the
 * service or its database. A child inherits the score at the fork, and setting it from outside would come too late for
 * what the child forks. So this process raises its own score while it spawns; every process may raise its own score and
 * restore it.
 */
function asFirstOomVictim<T>(start: () => T): T {
  const before = raiseOomScore()
  try {
    return start()
  } finally {
    if (before !== undefined) writeFileSync(ownOomScore, before)
  }
}

function raiseOomScore(): string | undefined {
  try {
    const before = readFileSync(ownOomScore, 'utf8')
    writeFileSync(ownOomScore, maxOomScore)
    return before
  } catch {
    // Without /proc the score cannot be set; the self-test reports that.
    return undefined
  }
}

/** SIGKILL to every process of the sandbox: an engine that is busy or hostile ignores SIGTERM. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // ESRCH: all have ended already.
  }
}

type Stdio = ('ignore' | 'pipe' | number)[]

// `ignore` above stderr leaves an inherited descriptor open, so each of them is replaced by /dev/null.
function coverInherited(stdio: Stdio): Stdio {
  const covered = [...stdio]
  for (const descriptor of inherited) {
    while (covered.length <= descriptor) covered.push('ignore')
    if (descriptor >= stdio.length) covered[descriptor] = devNull
  }
  return covered
}

import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, readFileSync, writeFileSync } from 'node:fs'
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
  return asFirstToEnd(() =>
    spawn(command.command, command.args, {
      detached: true,
      env: { ...command.environment },
      cwd: command.workingFolder,
      ...(user.drop ? { uid: user.uid, gid: user.gid } : {}),
      stdio: coverInherited([stdin, 'pipe', 'pipe', status, ...(filter === undefined ? [] : [filter])]),
    }),
  )
}

const ownScore = '/proc/self/oom_score_adj'
const highestScore = '1000'

/**
 * What starts is the first to be ended when the machine is out of memory: an engine, and never the service or
 * its database. The score is inherited, and another process can be given one only after it has forked in turn. So
 * it is ours for the moment of the start. Everybody may raise their own score and take that back.
 */
function asFirstToEnd<T>(start: () => T): T {
  const before = raiseScore()
  try {
    return start()
  } finally {
    if (before !== undefined) writeFileSync(ownScore, before)
  }
}

function raiseScore(): string | undefined {
  try {
    const before = readFileSync(ownScore, 'utf8')
    writeFileSync(ownScore, highestScore)
    return before
  } catch {
    // Where /proc is closed there is no order. The self-test tells.
    return undefined
  }
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

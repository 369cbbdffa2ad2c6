import { spawn } from 'node:child_process'
import { openSync, readFileSync, writeFileSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import type { EngineUser } from './engine-user.ts'
import { inheritedDescriptors } from './inherited-descriptors.ts'
import { hasLauncher, type LaunchRequest, launch, type SpawnedProcess } from './launcher.ts'
import { type Command, optionsDescriptor, statusDescriptor } from './level.ts'

// Every sandbox starts here: in a new process group, as the engine user, and with no environment variable or file
// descriptor of the service except those listed. The launcher starts it. Where that helper is not built, Node does, which
// blocks the event loop while the kernel copies the page tables of the service.

const inherited = inheritedDescriptors()
const devNull = openSync('/dev/null', 'r+')

export interface Descriptors {
  stdin: 'ignore' | 'pipe'
  status: 'discarded' | 'pipe'
  filter: number | undefined
}

/** Rejects when there is no such command. */
export async function spawnCommand(
  command: Command,
  user: EngineUser,
  { stdin, status, filter }: Descriptors,
): Promise<SpawnedProcess> {
  const pipes = [...(stdin === 'pipe' ? [0] : []), ...(status === 'pipe' ? [statusDescriptor] : [])]
  const request = { ...command, ...splitOptions(command), user: user.drop ? user : undefined, pipes, filter }
  return hasLauncher() ? launch(request) : spawnDirectly(request)
}

/** The arguments that every local user may see, and those before them. */
function splitOptions({ args, hidesOptions }: Command): Pick<LaunchRequest, 'args' | 'options'> {
  if (!hidesOptions) return { args, options: [] }
  const end = args.indexOf('--')
  return { args: ['--args', String(optionsDescriptor), ...args.slice(end)], options: args.slice(0, end) }
}

function spawnDirectly(request: LaunchRequest): SpawnedProcess {
  const { command, args, options, environment, workingFolder, user, pipes, filter } = request
  const [stdin, status] = [0, statusDescriptor].map((each) => pipes.includes(each))
  const child = asFirstOomVictim(() =>
    spawn(command, args, {
      detached: true,
      env: { ...environment },
      cwd: workingFolder,
      ...(user ? { uid: user.uid, gid: user.gid } : {}),
      stdio: coverInherited([
        stdin ? 'pipe' : 'ignore',
        'pipe',
        'pipe',
        // Above stderr, 'ignore' would leave the descriptor closed, and bwrap ends if it cannot report.
        status ? 'pipe' : devNull,
        filter ?? devNull,
        ...(options.length > 0 ? (['pipe'] as const) : []),
      ]),
    }),
  )
  // Node's type covers only the first five.
  const stdio: readonly unknown[] = child.stdio
  if (options.length > 0) writeOptions(stdio[optionsDescriptor] as Duplex, options)
  return child
}

function writeOptions(pipe: Duplex, options: readonly string[]): void {
  // The command has ended before it read them, which its exit reports.
  pipe.on('error', () => {})
  pipe.end(options.map((option) => `${option}\0`).join(''))
  // To notice that the other side is closed.
  pipe.resume()
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

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeTree } from '../remove-tree.ts'
import { reachableScratchRoot } from './engine-access.ts'
import type { EngineUser } from './engine-user.ts'
import type { Limits, Sandbox, SandboxResult } from './sandbox.ts'
import { probe } from './self-test-probe.ts'

// Before the service takes a job it tests the sandbox: a program inside tries to break out, and the effects are checked
// outside. A level with a failed check is not used.

export interface Check {
  name: string
  ok: boolean
}

const limits: Limits = {
  wallSeconds: 5,
  cpuSeconds: 5,
  memoryBytes: 512 * 1024 * 1024,
  processes: 20,
  fileBytes: 1024 * 1024,
  diskBytes: 1024 * 1024,
  logBytes: 16 * 1024,
}
// Many times its limit: a level that counts per user allows more when other sandboxes end meanwhile.
const forksTried = 600
const ownNames = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'PWD', 'KILN_PROBE_IN']

export async function selfTest(sandbox: Sandbox, user: EngineUser): Promise<Check[]> {
  const scratch = await mkdtemp(join(await reachableScratchRoot(tmpdir(), user), 'kiln-self-test-'))
  const folders = { inFolder: join(scratch, 'in'), outFolder: join(scratch, 'out') }
  const otherJob = join(scratch, 'other')
  let connections = 0
  const countConnection = (socket: { destroy(): void }) => {
    connections += 1
    socket.destroy()
  }
  const port = createServer(countConnection)
  const socket = createServer(countConnection)
  // A process of the engine user outside the sandbox, as another job would be.
  const outsider = spawn('/usr/bin/sleep', ['30'], {
    stdio: 'ignore',
    env: {},
    ...(user.drop ? { uid: user.uid, gid: user.gid } : {}),
  })
  try {
    const created = [folders.inFolder, folders.outFolder, otherJob].map((folder) => mkdir(folder))
    await Promise.all([...created, once(outsider, 'spawn')])
    await chmod(otherJob, 0o777)
    await writeFile(join(otherJob, 'secret'), 'x')
    // Files of the user that the engine runs as: every file of the service, when it runs as that user itself.
    const owned = [join(otherJob, 'owned'), join(folders.inFolder, 'canary')]
    for (const file of owned) {
      await writeFile(file, 'x')
      if (user.drop) await chown(file, user.uid, user.gid)
    }
    port.listen(0, '127.0.0.1')
    socket.listen(join(otherJob, 'socket'))
    await Promise.all([once(port, 'listening'), once(socket, 'listening')])
    await chmod(join(otherJob, 'socket'), 0o777)
    const before = await factsOf(owned)
    // Where /proc is masked, as in many containers, a sandbox with its own /proc cannot be built; the check then fails.
    const withProc = sandbox
      .run({ ...folders, program: '/usr/bin/cat', args: ['/proc/self/oom_score_adj'], proc: true, limits })
      .catch(() => undefined)
    const result = await sandbox.run({
      ...folders,
      program: '/usr/bin/perl',
      args: [
        '-e',
        probe,
        String((port.address() as AddressInfo).port),
        String(outsider.pid),
        ownNames.join(','),
        `at${otherJob}`,
        String(forksTried),
      ],
      environment: { KILN_PROBE_IN: '/in' },
      limits,
    })
    return judge(findings(result), {
      withProc: await withProc,
      isReached: connections > 0,
      isChanged: (await factsOf(owned)) !== before,
      isOutsiderAlive: outsider.exitCode === null && outsider.signalCode === null,
      canInspect: canInspect(outsider.pid),
    })
  } finally {
    outsider.kill('SIGKILL')
    port.close()
    socket.close()
    await removeTree(scratch)
  }
}

/** Observations from outside, independent of the program's report. */
interface Outside {
  withProc: SandboxResult | undefined
  isReached: boolean
  isChanged: boolean
  isOutsiderAlive: boolean
  canInspect: boolean
}

function judge(found: ReadonlyMap<string, string>, outside: Outside): Check[] {
  const could = (name: string) => found.get(name) === '1'
  const couldNot = (...beginnings: string[]) => {
    const tried = [...found].filter(([name]) => beginnings.some((beginning) => name.startsWith(beginning)))
    return tried.length >= beginnings.length && tried.every(([, result]) => result === '0')
  }
  return [
    { name: 'reads its input', ok: could('reads-in') },
    { name: 'writes its output', ok: could('writes-out') },
    { name: 'runs with /proc where it needs it', ok: outside.withProc?.exitCode === 0 },
    { name: 'cannot write anywhere else', ok: couldNot('writes-root', 'writes-in') },
    { name: 'cannot read /etc/passwd', ok: couldNot('reads-passwd') },
    { name: 'cannot reach the files of another job', ok: couldNot('reads-other-job', 'writes-other-job') },
    { name: 'cannot reach the network', ok: couldNot('network') && !outside.isReached },
    { name: 'cannot open a socket that leaves the sandbox', ok: couldNot('socket-family-') },
    {
      name: 'cannot reach a socket by its path',
      ok: couldNot('socket-by-path', 'socket-of-datagrams', 'socket-pair-of-datagrams') && !outside.isReached,
    },
    { name: 'cannot change a file of its user', ok: couldNot('file-') && !outside.isChanged },
    { name: 'sees nothing of the environment', ok: found.get('environment') === '' },
    { name: 'cannot signal a process outside', ok: couldNot('signals-') && outside.isOutsiderAlive },
    { name: 'cannot have the kernel signal one either', ok: couldNot('owner-') },
    { name: 'cannot steer a process of its user', ok: couldNot('steers-') },
    { name: 'leaves no memory behind', ok: couldNot('memory-') },
    { name: 'is stopped when it forks', ok: Number(found.get('forked')) < forksTried },
    {
      name: 'is the first to end when the machine is out of memory',
      ok: outside.withProc?.untrustedStdout.trim() === '1000',
    },
    {
      name: 'has its removed files counted (which takes CAP_SYS_PTRACE from a service that is root)',
      ok: outside.canInspect,
    },
  ]
}

function findings({ ending, untrustedStdout, untrustedStderr }: SandboxResult): Map<string, string> {
  const lines = untrustedStdout.split('\n').map((line): [string, string] => {
    const space = line.indexOf(' ')
    return [line.slice(0, space), line.slice(space + 1)]
  })
  const found = new Map(lines)
  if (found.get('finished') !== '1')
    throw new Error(`the probe did not finish (${ending}): ${untrustedStderr.slice(0, 300)}`)
  return found
}

async function factsOf(files: readonly string[]): Promise<string> {
  const facts = await Promise.all(files.map((file) => stat(file)))
  return JSON.stringify(facts.map(({ mode, uid, gid, size, mtimeMs }) => [mode, uid, gid, size, mtimeMs]))
}

function canInspect(pid: number | undefined): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).length > 0
  } catch {
    // EACCES: the service may not list the descriptors of the process.
    return false
  }
}

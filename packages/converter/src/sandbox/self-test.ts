import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeTree } from '../remove-tree.ts'
import { reachableScratchRoot } from './engine-access.ts'
import type { EngineUser } from './engine-user.ts'
import type { Limits, Sandbox } from './sandbox.ts'
import { probe } from './self-test-probe.ts'

// Before the service takes a job it tests the box: a program inside tries to get out, and we look outside for
// what came of it. A box that lets anything through is not used.

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
// Ten times its limit: a level that counts per user has room to spare when other boxes end meanwhile.
const forksTried = 200
const ownNames = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'PWD', 'KILN_PROBE_IN']

export async function selfTest(sandbox: Sandbox, user: EngineUser): Promise<Check[]> {
  const scratch = await mkdtemp(join(await reachableScratchRoot(tmpdir(), user), 'kiln-self-test-'))
  const inFolder = join(scratch, 'in')
  const outFolder = join(scratch, 'out')
  const otherJob = join(scratch, 'other')
  let connections = 0
  const canary = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  // A process of the engine user outside the box, as another job would be.
  const outsider = spawn('/usr/bin/sleep', ['30'], {
    stdio: 'ignore',
    env: {},
    ...(user.drop ? { uid: user.uid, gid: user.gid } : {}),
  })
  try {
    await Promise.all([mkdir(inFolder), mkdir(outFolder), mkdir(otherJob), once(outsider, 'spawn')])
    await writeFile(join(inFolder, 'canary'), 'x')
    await writeFile(join(otherJob, 'secret'), 'x')
    await chmod(otherJob, 0o777)
    canary.listen(0, '127.0.0.1')
    await once(canary, 'listening')
    const { port } = canary.address() as AddressInfo
    // Where /proc is masked, as in many containers, a box with one of its own cannot be built.
    const ranWithProc = sandbox
      .run({ program: '/usr/bin/true', args: [], inFolder, outFolder, proc: true, limits })
      .then(
        ({ exitCode }) => exitCode === 0,
        () => false,
      )
    const result = await sandbox.run({
      program: '/usr/bin/perl',
      args: [
        '-e',
        probe,
        String(port),
        String(outsider.pid),
        ownNames.join(','),
        otherJob,
        String(forksTried),
      ],
      inFolder,
      outFolder,
      environment: { KILN_PROBE_IN: '/in' },
      limits,
    })
    const found = findings(result.untrustedStdout)
    if (found.get('finished') !== '1') {
      throw new Error(`the probe did not finish (${result.ending}): ${result.untrustedStderr.slice(0, 300)}`)
    }
    const none = (name: string) => found.get(name) === '0'
    const families = [...found.keys()].filter((name) => name.startsWith('socket-family-'))
    return [
      { name: 'reads its input', ok: found.get('reads-in') === '1' },
      { name: 'writes its output', ok: found.get('writes-out') === '1' },
      { name: 'runs with /proc where it needs it', ok: await ranWithProc },
      { name: 'cannot write anywhere else', ok: none('writes-root') && none('writes-in') },
      { name: 'cannot read /etc/passwd', ok: none('reads-passwd') },
      {
        name: 'cannot reach the files of another job',
        ok: none('reads-other-job') && none('writes-other-job'),
      },
      { name: 'cannot reach the network', ok: none('network') && connections === 0 },
      { name: 'cannot open a socket that leaves the box', ok: families.length > 0 && families.every(none) },
      { name: 'sees nothing of the environment', ok: found.get('environment') === '' },
      {
        name: 'cannot signal a process outside',
        ok: none('signals-outsider') && outsider.exitCode === null && outsider.signalCode === null,
      },
      { name: 'is stopped when it forks', ok: Number(found.get('forked')) < forksTried },
    ]
  } finally {
    outsider.kill('SIGKILL')
    canary.close()
    await removeTree(scratch)
  }
}

function findings(untrustedStdout: string): Map<string, string> {
  return new Map(
    untrustedStdout.split('\n').map((line) => {
      const space = line.indexOf(' ')
      return [line.slice(0, space), line.slice(space + 1)]
    }),
  )
}

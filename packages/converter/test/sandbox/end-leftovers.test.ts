import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endLeftovers } from '../../src/sandbox/end-leftovers.ts'
import { type EngineUser, findEngineUser } from '../../src/sandbox/engine-user.ts'
import { countProcesses, noneLeft } from './marked-processes.ts'

let root: string
let user: EngineUser
const started: ChildProcess[] = []
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kiln-leftovers-'))
  await chmod(root, 0o755)
  user = await findEngineUser()
})
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await endLeftovers([root], user.uid)
  await rm(root, { recursive: true, force: true })
})

const asEngine = () => (user.drop ? { uid: user.uid, gid: user.gid } : {})

function startSandbox(folder: string): ChildProcess {
  const child = spawn(
    '/usr/bin/bwrap',
    [
      '--unshare-all',
      '--unshare-user',
      '--die-with-parent',
      '--new-session',
      '--ro-bind',
      '/usr',
      '/usr',
      '--symlink',
      'usr/lib',
      '/lib',
      '--symlink',
      'usr/lib64',
      '/lib64',
      '--ro-bind',
      join(folder, 'in'),
      '/in',
      '/usr/bin/sleep',
      '600',
    ],
    { detached: true, stdio: 'ignore', ...asEngine() },
  )
  started.push(child)
  return child
}

/** Boxes whose parent is killed while they are built, at any moment of it, until some stay behind. */
async function leaveSome(folder: string): Promise<void> {
  for (let tries = 0; tries < 200 && (await countProcesses(folder)) < 3; tries++) {
    const child = startSandbox(folder)
    // How long the programs take to start depends on the machine.
    await sleep((tries % 40) / 2)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await sleep(20)
  }
  expect(await countProcesses(folder)).toBeGreaterThanOrEqual(3)
}

async function makeFolder(name: string): Promise<string> {
  const folder = join(root, name)
  await mkdir(join(folder, 'in'), { recursive: true })
  return folder
}

describe('what is left of sandboxes whose parent was killed', () => {
  it('is ended, by the folder in its arguments', async () => {
    const folder = await makeFolder('100-aa')
    await leaveSome(folder)
    expect(await endLeftovers([folder], user.uid)).toBeGreaterThanOrEqual(3)
    await noneLeft(folder)
  })

  it('is ended, by the folder it works in', async () => {
    const folder = await makeFolder('101-aa')
    const child = spawn('/usr/bin/sleep', ['600'], { cwd: folder, stdio: 'ignore', ...asEngine() })
    started.push(child)
    const ended = once(child, 'exit')
    expect(await endLeftovers([folder], user.uid)).toBe(1)
    expect(await ended).toEqual([null, 'SIGKILL'])
  })

  it('is left alone where the folder only begins alike, or the user is another', async () => {
    const folder = await makeFolder('102-aa')
    const child = startSandbox(await makeFolder('102-aab'))
    while ((await countProcesses(`${folder}b`)) < 2) await sleep(10)
    expect(await endLeftovers([folder], user.uid)).toBe(0)
    expect(await endLeftovers([`${folder}b`], user.uid + 1)).toBe(0)
    expect(child.exitCode ?? child.signalCode).toBeNull()
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endLeftovers } from '../src/sandbox/end-leftovers.ts'
import { findEngineUser } from '../src/sandbox/engine-user.ts'
import { openScratch } from '../src/scratch.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kiln-scratch-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

test('folders of ended processes go at the next start, all others stay', async () => {
  const running = `${process.ppid}-0000`
  // The highest number that Linux gives is 4194304; ours was another's before, as in a container.
  const ended = ['4194305-0000', `${process.pid}-0000`]
  // An operator may name a folder for scratch files that holds others.
  const others = ['documents', '2024-invoices', '4194305-0000.bak']
  for (const name of [running, ...ended, ...others])
    await mkdir(join(root, name, 'job', 'in'), { recursive: true })
  const options = {
    root,
    closeToOthers: async () => {},
    endLeftovers: async () => 0,
    log: { info: () => {}, warn: () => {} },
  }
  const folders = await openScratch(options)
  const beside = await openScratch(options)
  const left = await readdir(root)
  for (const name of ended) expect(left).not.toContain(name)
  for (const name of [running, ...others]) expect(left).toContain(name)
  expect(existsSync(folders.own) && existsSync(beside.own)).toBe(true)

  const job = await folders.create()
  expect(existsSync(job.inFolder) && existsSync(job.outFolder)).toBe(true)
  await job.remove()
  expect(existsSync(job.inFolder)).toBe(false)
})

test('what works in a folder of an ended process is ended at the next start, and by living processes', async () => {
  const user = await findEngineUser()
  const warnings: string[] = []
  const scratch = {
    root: join(root, 'leftovers'),
    closeToOthers: async () => {},
    endLeftovers: (folders: readonly string[]) => endLeftovers(folders, user.uid),
    log: { info: () => {}, warn: (message: string) => void warnings.push(message) },
    clearEveryMilliseconds: 50,
  }
  // Made elsewhere and moved, because a folder that appears before its process may be removed in between.
  const leave = async () => {
    const made = join(root, '4194305-0000')
    const cwd = join(made, 'job')
    await mkdir(cwd, { recursive: true })
    const child = spawn('/usr/bin/sleep', ['600'], {
      cwd,
      stdio: 'ignore',
      ...(user.drop ? { uid: user.uid, gid: user.gid } : {}),
    })
    const exit = once(child, 'exit')
    await once(child, 'spawn')
    await rename(made, join(scratch.root, '4194305-0000'))
    return { exit }
  }
  await chmod(root, 0o755)
  await mkdir(scratch.root)
  const before = await leave()
  const opened = await openScratch(scratch)
  expect(await before.exit).toEqual([null, 'SIGKILL'])
  expect(await (await leave()).exit).toEqual([null, 'SIGKILL'])
  expect(warnings).toHaveLength(2)
  await opened.remove()
})

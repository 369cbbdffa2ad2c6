// @module-tag slow

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, lstat, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { uidOf, useRootFolder } from './root-folder.ts'
import { admin, postgresPid } from './service-process.ts'

// Root starts a service on files that belong to other users.

const repository = fileURLToPath(new URL('../../../..', import.meta.url))

describe.runIf(process.getuid?.() === 0)('started by root', () => {
  const { root, dataFolder, start } = useRootFolder()

  test('a clone in a folder that is closed to others', async () => {
    const clone = join(root(), 'home', 'kiln')
    await mkdir(clone, { recursive: true })
    const command = `mount --bind '${repository}' '${clone}' && cd '${clone}' && exec node_modules/.bin/node packages/server/src/main-admin.ts account create --name first --json`
    const stdout = execFileSync('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', command], {
      env: { PATH: process.env.PATH, HOME: root(), KILN_DATA_DIR: dataFolder() },
      encoding: 'utf8',
    })
    expect(JSON.parse(stdout).account.name).toBe('first')
  })

  test('data of a version that ran as root is brought forward, with the database that it left running', async () => {
    const folder = dataFolder()
    const earlier = await makeEarlierData(folder)
    const made = await admin(folder, 'account', 'list', '--json')
    expect([made.code, made.stderr]).toEqual([1, expect.stringContaining('Stop it first')])
    await earlier.kill()
    const { child } = await start()
    const uid = uidOf(child.pid as number)
    for (const name of ['.', 'postgres', 'postgres/base', 'postgres-password', 'files/outputs'])
      expect((await lstat(join(folder, name))).uid).toBe(uid)
    expect(uidOf((await postgresPid(folder)) as number)).toBe(uid)
    const { stdout } = await admin(folder, 'account', 'list', '--json')
    expect(JSON.parse(stdout).accounts).toMatchObject([{ name: 'from before' }])
  })

  test('the data of an ordinary user stays that user’s, and root’s commands work on it', async () => {
    const folder = dataFolder()
    await mkdir(folder)
    await chown(folder, 65_534, 65_534)
    const { child } = await start()
    expect(uidOf(child.pid as number)).toBe(65_534)
    expect((await admin(folder, 'account', 'list')).code).toBe(0)
    expect((await lstat(join(folder, 'postgres'))).uid).toBe(65_534)
  })
})

/** As root made it: the files root's, the database another user's and running. */
async function makeEarlierData(folder: string): Promise<{ kill(): Promise<void> }> {
  expect((await admin(folder, 'account', 'create', '--name', 'from before')).code).toBe(0)
  await mkdir(join(folder, 'files/outputs'), { recursive: true })
  await writeFile(join(folder, 'files/outputs/1'), 'kept')
  execFileSync('chown', ['-R', 'root:root', folder])
  execFileSync('chown', ['-R', 'daemon:daemon', join(folder, 'postgres'), join(folder, 'postgres-socket')])
  const holder = fileURLToPath(new URL('../private-postgres/use-server.ts', import.meta.url))
  const child = spawn(process.execPath, [holder, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return {
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

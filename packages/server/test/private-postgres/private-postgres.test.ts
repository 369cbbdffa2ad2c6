// @module-tag slow

import { spawn, spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  ask,
  cleanUpAfterTests,
  cleanupLater,
  isRunning,
  kill,
  serverPid,
  spawnHolder,
  startHere,
  temporaryFolder,
  usedFolder,
} from './fixtures.ts'

cleanUpAfterTests()

const isRoot = process.getuid?.() === 0

test('makes a database in UTF-8, and a restart keeps its data', async () => {
  const dataDir = await temporaryFolder()
  const first = await startHere(dataDir)
  expect(first.adopted).toBe(false)
  await ask(first.connectionString, "create table kept (word text); insert into kept values ('żółć')")
  await first.stop()

  const second = await startHere(dataDir)
  expect(second.adopted).toBe(false)
  expect(await ask(second.connectionString, 'select word from kept')).toEqual([{ word: 'żółć' }])
  expect(await ask(second.connectionString, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
  expect(await ask(second.connectionString, 'show fsync')).toEqual([{ fsync: 'on' }])
})

test('stop leaves no process and no pid file', async () => {
  const dataDir = await usedFolder()
  const server = await startHere(dataDir)
  const pid = await serverPid(dataDir)
  await server.stop()
  expect(await isRunning(pid)).toBe(false)
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
})

test('a server whose process was killed -9 is taken over, and stopped in the end', async () => {
  const dataDir = await usedFolder()
  const holder = await spawnHolder(dataDir).ready
  await ask(holder.connectionString, 'create table kept (n int); insert into kept values (1)')
  const pid = await serverPid(dataDir)
  await kill(holder.child, 'SIGKILL')
  expect(await isRunning(pid)).toBe(true)

  const server = await startHere(dataDir)
  expect(server.adopted).toBe(true)
  expect(await serverPid(dataDir)).toBe(pid)
  expect(await ask(server.connectionString, 'select n from kept')).toEqual([{ n: 1 }])
  await server.stop()
  expect(await isRunning(pid)).toBe(false)
})

test('of several users the last one stops the server', async () => {
  const dataDir = await usedFolder()
  const server = await startHere(dataDir)
  const pid = await serverPid(dataDir)
  const holder = await spawnHolder(dataDir).ready
  expect(holder.adopted).toBe(true)

  await server.stop()
  expect(await isRunning(pid)).toBe(true)
  holder.child.stdin?.end()
  while (holder.child.exitCode === null) await sleep(20)
  expect(await isRunning(pid)).toBe(false)
})

test('two starts at the same moment on a new folder share one server', async () => {
  const dataDir = await temporaryFolder()
  const [one, two] = await Promise.all([spawnHolder(dataDir).ready, spawnHolder(dataDir).ready])
  expect([one.adopted, two.adopted].filter(Boolean)).toHaveLength(1)
  await ask(one.connectionString, 'create table shared (n int)')
  expect(await ask(two.connectionString, 'select n from shared')).toEqual([])
  const server = await startHere(dataDir)
  await Promise.all([kill(one.child, 'SIGKILL'), kill(two.child, 'SIGKILL')])
  await server.stop()
})

test('a pid file that names another living process does not stop the start', async () => {
  const dataDir = await usedFolder()
  const owner = await stat(join(dataDir, 'postgres'))
  // A process of the database's own user: PostgreSQL alone would take it for a server and give up.
  const other = spawn('sleep', ['60'], isRoot ? { uid: owner.uid, gid: owner.gid } : {})
  cleanupLater(() => kill(other, 'SIGKILL'))
  await writeFile(
    join(dataDir, 'postgres/postmaster.pid'),
    `${other.pid}\n/elsewhere\n1\n5432\n/elsewhere\n\n 1 1\nready\n`,
  )

  const server = await startHere(dataDir)
  expect(server.adopted).toBe(false)
  expect(await serverPid(dataDir)).not.toBe(other.pid)
})

test('a data folder left half made by a crash is made anew', async () => {
  const dataDir = await temporaryFolder()
  const { child } = spawnHolder(dataDir)
  const unfinished = async () => (await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'))
  // An initdb that has not begun would make the folder again after it was removed.
  const isBegun = async () => {
    const [folder] = await unfinished()
    return folder !== undefined && (await readdir(join(dataDir, folder))).length > 0
  }
  while (!(await isBegun())) await sleep(5)
  await kill(child, 'SIGKILL')
  expect(await readdir(dataDir)).not.toContain('postgres')

  const server = await startHere(dataDir)
  expect(await ask(server.connectionString, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await unfinished()).toEqual([])
})

test('a folder that holds something else is refused with a sentence', async () => {
  const dataDir = await temporaryFolder()
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres/letter.txt'), 'not a database')
  await expect(startHere(dataDir)).rejects.toThrow(/holds no PostgreSQL database/)
  expect(await readFile(join(dataDir, 'postgres/letter.txt'), 'utf8')).toBe('not a database')
})

test('a path too long for a socket works', async () => {
  const dataDir = join(await temporaryFolder(), 'x'.repeat(60), 'y'.repeat(60), 'data')
  const server = await startHere(dataDir)
  expect(await ask(server.connectionString, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a data folder under a private folder works, or is refused with the way out', async () => {
  const dataDir = join(await temporaryFolder(0o700), 'data')
  if (isRoot && !mayMount()) {
    await expect(startHere(dataDir)).rejects.toThrow(/KILN_DATA_DIR/)
    return
  }
  const first = await startHere(dataDir)
  await ask(first.connectionString, 'create table kept (n int)')
  await first.stop()
  const holder = await spawnHolder(dataDir).ready
  await kill(holder.child, 'SIGKILL')
  const second = await startHere(dataDir)
  expect(second.adopted).toBe(true)
  expect(await ask(second.connectionString, 'select n from kept')).toEqual([])
})

test('never runs as root, and no other user can connect', async () => {
  const dataDir = await usedFolder()
  const server = await startHere(dataDir)
  const uid = (await stat(`/proc/${await serverPid(dataDir)}`)).uid
  expect(uid).not.toBe(0)

  const socketDir = decodeURIComponent(/@([^:]+):/.exec(server.connectionString)?.[1] ?? '')
  const socket = join(socketDir, '.s.PGSQL.5432')
  expect((await stat(socketDir)).mode & 0o777).toBe(0o700)
  expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)
  if (!isRoot) return
  const connect = (as: number) =>
    spawnSync(
      '/usr/bin/perl',
      ['-MIO::Socket::UNIX', '-e', `exit(IO::Socket::UNIX->new("${socket}") ? 0 : 1)`],
      {
        uid: as,
        gid: as,
      },
    ).status
  expect(connect(uid)).toBe(0)
  expect(connect(65534)).toBe(1)
})

test('no network port is opened', async () => {
  const server = await startHere(await usedFolder())
  expect(await ask(server.connectionString, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
})

test('a server that dies while it is used is started again', async () => {
  const dataDir = await usedFolder()
  const server = await startHere(dataDir)
  await ask(server.connectionString, 'create table kept (n int)')
  const pid = await serverPid(dataDir)
  process.kill(pid, 'SIGKILL')
  const deadline = Date.now() + 20_000
  let rows: unknown
  while (rows === undefined && Date.now() < deadline) {
    // The server may not accept connections yet.
    rows = await ask(server.connectionString, 'select n from kept').catch(() => undefined)
    await sleep(50)
  }
  expect(rows).toEqual([])
  expect(await serverPid(dataDir)).not.toBe(pid)
})

test('without an installed PostgreSQL the one from npm is used, and its folder then asks for it', async () => {
  const dataDir = await temporaryFolder()
  const server = await startHere(dataDir, { systemRoots: [] })
  const [row] = await ask(
    server.connectionString,
    "select current_setting('server_version_num')::int as version",
  )
  expect(row?.version).toBeGreaterThanOrEqual(180_000)
  await server.stop()
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '9\n')
  await expect(startHere(dataDir)).rejects.toThrow(/made by PostgreSQL 9.*apt-get install postgresql-9/)
})

function mayMount(): boolean {
  return spawnSync('unshare', ['--mount', '--propagation', 'private', 'true']).status === 0
}

// @module-tag slow

import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { ask, cleanUpAfterTests, serverPid, startHere, usedFolder } from './fixtures.ts'

// An engine that was taken over may reach the socket: it must find nothing there.

cleanUpAfterTests()

const socketOf = (connectionString: string) =>
  decodeURIComponent(/@([^:]+):\d+\//.exec(connectionString)?.[1] ?? '')

async function refusalOf(options: object): Promise<string> {
  const client = new Client({ port: 5432, database: 'kiln', ...options })
  try {
    await client.connect()
    return 'let in'
  } catch (error) {
    return (error as Error).message
  } finally {
    await client.end()
  }
}

describe('a process that reaches the socket', () => {
  test('is let in with the password of the one role alone', async () => {
    const dataDir = await usedFolder()
    const host = socketOf((await startHere(dataDir)).connectionString)
    for (const user of ['kiln', 'postgres', 'kiln_service', 'root']) {
      for (const password of ['', 'kiln', 'guessed']) {
        for (const database of ['kiln', 'postgres', 'template1'])
          expect(await refusalOf({ host, user, password, database }), `${user} ${database}`).toMatch(
            /no pg_hba.conf entry|authentication failed|password must be a|no encryption/,
          )
      }
    }
    const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim().split(':').at(-1)
    expect(await refusalOf({ host, user: 'kiln_service', password })).toBe('let in')
    expect(await refusalOf({ host, user: 'kiln', password })).toMatch(/no pg_hba.conf entry/)
  })

  test('finds no way out of the database, even with the password', async () => {
    const dataDir = await usedFolder()
    const { connectionString } = await startHere(dataDir)
    expect(await ask(connectionString, 'select rolsuper from pg_roles where rolname = current_user')).toEqual(
      [{ rolsuper: false }],
    )
    await ask(connectionString, 'create table t (line text)')
    for (const attempt of [
      "copy (select 1) to program 'id > /tmp/kiln-escaped'",
      "copy t from program 'id'",
      "copy t from '/etc/passwd'",
      "copy (select 1) to '/tmp/kiln-escaped'",
      "select pg_read_file('/etc/passwd')",
      "select lo_export(lo_create(0), '/tmp/kiln-escaped')",
      "select lo_import('/etc/passwd')",
      'alter role current_user superuser',
      'set role kiln',
      'set session authorization kiln',
      'create role other superuser login',
      'grant pg_execute_server_program to current_user',
      "alter system set archive_command = 'id'",
      "load '/tmp/kiln-escaped.so'",
      "create function f() returns int language c as '/tmp/kiln-escaped'",
      'create extension file_fdw',
      'create database other',
    ])
      await expect(ask(connectionString, attempt), attempt).rejects.toMatchObject({ code: '42501' })
    await expect(stat('/tmp/kiln-escaped')).rejects.toThrow('ENOENT')
  })

  test('finds the password in one file, for our user alone', async () => {
    const dataDir = await usedFolder()
    const server = await startHere(dataDir)
    const password = /:([^:@]{40,})@/.exec(server.connectionString)?.[1] ?? 'none'
    const file = await stat(join(dataDir, 'postgres-password'))
    expect([file.mode & 0o777, file.uid]).toEqual([0o600, process.getuid?.()])
    const commandLine = await readFile(`/proc/${await serverPid(dataDir)}/cmdline`, 'utf8')
    for (const text of [await readFile(join(dataDir, 'postgres.log'), 'utf8'), commandLine])
      expect(text).not.toContain(password)
  })
})

test('a lost password is replaced at the next start', async () => {
  const dataDir = await usedFolder()
  const first = await startHere(dataDir)
  await ask(first.connectionString, 'create table kept (n int)')
  await first.stop()
  await rm(join(dataDir, 'postgres-password'))
  const second = await startHere(dataDir)
  expect(second.connectionString).not.toBe(first.connectionString)
  expect(await ask(second.connectionString, 'select n from kept')).toEqual([])
})

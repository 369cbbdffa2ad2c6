import { expect, test } from 'vitest'
import { isServerOf, parsePostmasterPid } from './postmaster-pid.ts'

test('reads pid, socket folder and status', () => {
  const text = '4711\n/data/postgres\n1700000000\n5432\n/data/socket\n\n  5432001   32768\nready   \n'
  expect(parsePostmasterPid(text)).toEqual({ pid: 4711, socketDir: '/data/socket', status: 'ready' })
})

test('a file that is still being written is a server that starts', () => {
  expect(parsePostmasterPid('4711\n/data/postgres\n1700000000\n5432\n')).toEqual({
    pid: 4711,
    socketDir: '',
    status: 'starting',
  })
})

test('a process in single-user mode is a server that starts', () => {
  expect(parsePostmasterPid('-4711\n/data/postgres\n1700000000\n0\n\n\n')).toMatchObject({
    pid: 4711,
    status: 'starting',
  })
})

test.each(['', '\n', 'garbage\n', '-1\n', '1\n', '12.5\n'])('%j names no server', (text) => {
  expect(parsePostmasterPid(text)).toBeUndefined()
})

test('this process is no PostgreSQL, even in the right folder', async () => {
  expect(await isServerOf(process.pid, process.cwd())).toBe(false)
})

import { tmpdir } from 'node:os'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/sandbox/create-sandbox.ts'
import type { EngineUser } from '../../src/sandbox/engine-user.ts'
import type { Command, Level } from '../../src/sandbox/level.ts'
import { answer, assemble, unless } from '../../src/sandbox/seccomp/bpf.ts'
import {
  judgedCalls,
  type Machine,
  refusedCalls,
  type SystemCall,
} from '../../src/sandbox/seccomp/syscalls.ts'
import { selfTest } from '../../src/sandbox/self-test.ts'
import { separateEngineUser } from './separate-engine-user.ts'

// A self-test that cannot fail proves nothing. So each defence is removed from a sandbox in turn, and the row that
// tests it has to fail.

type Change = (level: Level) => Level

const named = new Map<string, SystemCall>(
  [...Object.values(refusedCalls), judgedCalls].flatMap((group) => Object.entries(group)),
)

/** The filter allows these calls with any arguments. */
const allowing =
  (...names: string[]): Change =>
  (level) => {
    const numbers = names.map((name) => named.get(name)?.[process.arch as Machine])
    const exceptions = numbers.flatMap((number) =>
      typeof number === 'number' ? [unless.equal(number, 1), answer.allow()] : [],
    )
    expect(exceptions.length).toBeGreaterThan(0)
    // Behind the four instructions that look at the machine and load the number of the call.
    const opened = (filter: Buffer) =>
      Buffer.concat([filter.subarray(0, 32), assemble(exceptions), filter.subarray(32)])
    if (!level.filter) throw new Error('no filter to open')
    return { ...level, filter: { ...level.filter, runOnce: opened(level.filter.runOnce) } }
  }

const commanding =
  (change: (command: Command) => Command): Change =>
  (level) => ({ ...level, command: (enclosure) => change(level.command(enclosure)) })

const replacing = (flag: string, ...by: string[]) =>
  commanding((command) => {
    expect(command.args).toContain(flag)
    return { ...command, args: command.args.flatMap((arg) => (arg === flag ? by : [arg])) }
  })

/** Inserts flags before the existing ones. */
const preceding = (...flags: string[]) =>
  commanding((command) => ({ ...command, args: [...flags, ...command.args] }))

const leaking = commanding((command) => ({
  ...command,
  args: command.args.filter((arg) => arg !== '--clearenv'),
  environment: { ...command.environment, KILN_SECRET: 'x' },
}))

const all =
  (...changes: Change[]): Change =>
  (level) =>
    changes.reduce((changed, change) => change(changed), level)

// The self-test runs below the temporary folder, which contains the other job.
const seeingOthers = commanding((command) => {
  const at = command.args.indexOf('--remount-ro')
  return { ...command, args: command.args.toSpliced(at, 0, '--bind', tmpdir(), tmpdir()) }
})

// The value follows its flag.
const forking = commanding((command) => ({
  ...command,
  args: command.args.map((arg, at) => (command.args[at - 1] === '--nproc' ? '4000' : arg)),
}))

const namespaces = ['--unshare-user', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try']
const withoutNetwork = replacing('--unshare-all', ...namespaces, '--unshare-pid')
const withoutProcesses = replacing('--unshare-all', ...namespaces, '--unshare-net')

const changingFiles = [
  'chmod',
  'fchmodat',
  'chown',
  'fchownat',
  'utime',
  'utimes',
  'utimensat',
  'setxattr',
  'truncate',
]
const sharing = [['shmget'], ['semget'], ['msgget'], ['memfd_create']]
const steering = [['setpriority'], ['ioprio_set'], ['sched_setscheduler']]

const rows: Record<'bubblewrap' | 'landlock', readonly (readonly [string, string, Change])[]> = {
  bubblewrap: [
    [
      'a root folder that is read-only',
      'cannot write anywhere else',
      replacing('--remount-ro', '--perms', '0755', '--dir'),
    ],
    [
      'an /etc of its own',
      'cannot read /etc/passwd',
      replacing('--dev', '--ro-bind', '/etc/passwd', '/etc/passwd', '--dev'),
    ],
    ['mounts of its own', 'cannot reach the files of another job', seeingOthers],
    [
      'the network namespace and the filter',
      'cannot reach the network',
      all(withoutNetwork, allowing('socket', 'connect')),
    ],
    ['the filter of sockets', 'cannot open a socket that leaves the sandbox', allowing('socket')],
    [
      'mounts and the filter of connecting',
      'cannot reach a socket by its path',
      all(seeingOthers, allowing('connect')),
    ],
    ['the filter of datagrams', 'cannot reach a socket by its path', allowing('socketpair')],
    [
      'mounts and the filter of files',
      'cannot change a file of its user',
      all(seeingOthers, allowing(...changingFiles)),
    ],
    ['the empty environment', 'sees nothing of the environment', leaking],
    ['the process namespace', 'cannot signal a process outside', withoutProcesses],
    [
      'the process namespace and the filter of owners',
      'cannot have the kernel signal one either',
      all(withoutProcesses, allowing('fcntl')),
    ],
    ['the filter of priorities', 'cannot steer a process of its user', allowing('setpriority')],
    ...sharing.map(
      (calls) => [`the filter of ${calls}`, 'leaves no memory behind', allowing(...calls)] as const,
    ),
    // Landlock refuses it as well.
    ['the filter of mq_open', 'leaves no memory behind', allowing('mq_open')],
    ['the limit of processes', 'is stopped when it forks', replacing('--nproc=20', '--nproc=4000')],
  ],
  landlock: [
    ['Landlock on reading', 'cannot read /etc/passwd', preceding('--read', '/')],
    ['Landlock on other jobs', 'cannot reach the files of another job', preceding('--write', tmpdir())],
    ['the filter of sockets', 'cannot open a socket that leaves the sandbox', allowing('socket')],
    ['the filter of connecting', 'cannot reach a socket by its path', allowing('connect')],
    ['the filter of datagrams', 'cannot reach a socket by its path', allowing('socketpair')],
    ...[['chmod', 'fchmodat'], ['chown', 'fchownat'], ['utime', 'utimes', 'utimensat'], ['setxattr']].map(
      (calls) => [`the filter of ${calls}`, 'cannot change a file of its user', allowing(...calls)] as const,
    ),
    // As before Linux 6.2, where Landlock does not watch it.
    ...[['truncate'], ['open', 'openat']].map(
      (calls) =>
        [
          `the filter of ${calls}`,
          'cannot change a file of its user',
          all(preceding('--abi', '2'), allowing(...calls)),
        ] as const,
    ),
    ['the empty environment', 'sees nothing of the environment', leaking],
    ['the filter of owners', 'cannot have the kernel signal one either', allowing('fcntl')],
    ['the filter of controls', 'cannot have the kernel signal one either', allowing('ioctl')],
    ...[...steering, ['sched_setaffinity']].map(
      (calls) =>
        [`the filter of ${calls}`, 'cannot steer a process of its user', allowing(...calls)] as const,
    ),
    ...sharing.map(
      (calls) => [`the filter of ${calls}`, 'leaves no memory behind', allowing(...calls)] as const,
    ),
    ['the limit of processes', 'is stopped when it forks', forking],
  ],
}

describe.each(['bubblewrap', 'landlock'] as const)('the self-test at the level %s', (level) => {
  let user: EngineUser
  beforeAll(async () => {
    user = await separateEngineUser()
  })
  const failing = async (change?: Change) => {
    const sandbox = await createSandbox(level, user, change)
    try {
      return (await selfTest(sandbox, user)).filter(({ ok }) => !ok).map(({ name }) => name)
    } finally {
      await sandbox.close()
    }
  }

  it('passes with every defence in its place', async () => {
    expect(await failing()).toEqual([])
  })

  if (level === 'landlock')
    it.each([1, 2, 3, 4, 5])('passes on a kernel whose Landlock has the ABI %i', async (abi) => {
      expect(await failing(preceding('--abi', String(abi)))).toEqual([])
    })

  // The rows on forking come last: their processes are still ending when the next row counts.
  it.each(rows[level])('without %s: an engine %s, which fails', async (_defence, row, change) => {
    expect(await failing(change)).toContain(row)
  })
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/create-sandbox.ts'
import { findEngineUser } from '../../src/sandbox/engine-user.ts'

// A sandbox without a private /tmp may create sockets in the machine's.

const limits = {
  wallSeconds: 20,
  cpuSeconds: 10,
  memoryBytes: 512 << 20,
  processes: 20,
  fileBytes: 1 << 20,
  diskBytes: 1 << 20,
  logBytes: 16 * 1024,
}
const listening =
  'use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0); bind($s, pack_sockaddr_un($ARGV[0])) or die;'

test('a socket that a sandbox leaves in /tmp goes, and those that others of its user have open stay', async () => {
  const user = await findEngineUser()
  const sandbox = await createSandbox('landlock', user)
  onTestFinished(() => sandbox.close())
  const folder = await mkdtemp(join(tmpdir(), 'kiln-sockets-'))
  const [left, open] = [`/tmp/kiln-left-${process.pid}`, `/tmp/kiln-open-${process.pid}`]
  onTestFinished(() =>
    Promise.all([left, open, folder].map((each) => rm(each, { recursive: true, force: true }))).then(
      () => {},
    ),
  )
  await chmod(folder, 0o755)
  const [inFolder, outFolder] = [join(folder, 'in'), join(folder, 'out')]
  for (const made of [inFolder, outFolder]) await mkdir(made)
  const other: ChildProcess = spawn(
    '/usr/bin/perl',
    ['-e', `$| = 1; ${listening} print "open\n"; sleep 60`, open],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(user.drop ? { uid: user.uid, gid: user.gid } : {}),
    },
  )
  onTestFinished(() => void other.kill('SIGKILL'))
  await once(other.stdout as NodeJS.ReadableStream, 'data')
  // Split, so that the path is not translated to one inside the sandbox.
  const program = `$ARGV[0] = '/t' . "mp/$ARGV[0]"; ${listening} print -S $ARGV[0] ? 'made' : 'not made'`
  const args = ['-e', program, left.slice('/tmp/'.length)]
  const result = await sandbox.run({ program: 'perl', args, inFolder, outFolder, proc: true, limits })
  expect(result.untrustedStdout).toBe('made')
  expect([existsSync(left), existsSync(open)]).toEqual([false, true])
})

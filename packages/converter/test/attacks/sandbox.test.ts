import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { preloadedProgram } from '../../src/engines/preloaded-program.ts'
import { type OpenSandbox, openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { type HostSide, type SandboxRow, sandboxRows } from './sandbox-rows.ts'
import { openWorld, type World } from './world.ts'

// Runs every row without a sandbox, where it must succeed (otherwise the test proves nothing), and in the sandbox,
// where it must not: in one that is started for it, and in a pre-warmed one.

const datagramListener = `use Socket; $| = 1; socket(my $s, AF_UNIX, SOCK_DGRAM, 0) or die;
bind($s, pack_sockaddr_un($ARGV[0])) or die; chmod 0777, $ARGV[0]; print "up\n"; sleep 300`

const userWithoutProcesses = 54_321

let world: World
let host: HostSide
const closers: (() => unknown)[] = []

async function listening(server: Server, where: { port: number; host: string } | { path: string }) {
  server.listen(where)
  await once(server, 'listening')
  closers.push(() => server.close())
}

beforeAll(async () => {
  world = await openWorld()
  const identity = world.user.drop ? { uid: world.user.uid, gid: world.user.gid } : {}
  const sockets = await world.makeJob()
  await chmod(sockets.folder, 0o777)
  const [streamSocket, datagramSocket] = [join(sockets.folder, 'stream'), join(sockets.folder, 'datagram')]
  // As another job or the service itself, if it runs as this user: a process that takes datagrams.
  const outsider = spawn('/usr/bin/perl', ['-e', datagramListener, datagramSocket], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...identity,
  })
  closers.push(() => outsider.kill('SIGKILL'))
  await once(outsider.stdout, 'data')
  const ownedFile = join(sockets.folder, 'owned')
  await writeFile(ownedFile, 'the service needs this')
  if (world.user.drop) await chown(ownedFile, world.user.uid, world.user.gid)
  const stream = createServer((socket) => socket.destroy())
  await listening(stream, { path: streamSocket })
  await chmod(streamSocket, 0o777)
  const tcp = createServer((socket) => socket.destroy())
  await listening(tcp, { port: 0, host: '127.0.0.1' })
  const udp = createSocket('udp4')
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  closers.push(() => udp.close())
  const abstractSocket = `kiln-attack-${process.pid}`
  const abstract = createServer((socket) => socket.destroy())
  await listening(abstract, { path: `\0${abstractSocket}` })
  // As open as a careless administrator could leave it.
  const other = await world.makeJob()
  await writeFile(join(other.inFolder, 'input'), 'x')
  await chmod(other.outFolder, 0o777)
  host = {
    outsiderPid: outsider.pid ?? 0,
    streamSocket,
    datagramSocket,
    ownedFile,
    abstractSocket,
    otherJob: other.folder,
    tcpPort: (tcp.address() as AddressInfo).port,
    udpPort: udp.address().port,
  }
})
afterAll(async () => {
  for (const close of closers) close()
  await world.close()
})

const isHit = async (row: SandboxRow, output: string) => {
  const left = row.leaves?.(world)
  const isLeft = left !== undefined && existsSync(left)
  if (isLeft) await rm(left)
  return isLeft || output.includes('HIT')
}

describe('without a sandbox', () => {
  it.each(sandboxRows)('$name', async (row) => {
    const { folder, outFolder } = await world.makeJob()
    await chmod(folder, 0o777)
    const args = ['-e', row.program(world, host)]
    const user = row.meetsAllOfUser ? { uid: userWithoutProcesses } : {}
    const { output } = await world.runBare('/usr/bin/perl', args, outFolder, user)
    expect(await isHit(row, output)).toBe(true)
  })
})

const manners = (['bubblewrap', 'landlock'] as const).flatMap((level) =>
  ['at once', 'after a wait'].map((manner) => ({ level, manner })),
)

const limits = {
  wallSeconds: 10,
  cpuSeconds: 10,
  memoryBytes: 256 * 1024 * 1024,
  processes: 20,
  fileBytes: 1024 * 1024,
  diskBytes: 4 * 1024 * 1024,
  logBytes: 4096,
}

describe.each(manners)('in the sandbox: $level, $manner', ({ level, manner }) => {
  let opened: OpenSandbox
  beforeAll(async () => {
    const log = { info: () => {}, warn: () => {} }
    opened = await openSandbox({ allowUnsandboxed: false, log, levels: [level] })
    process.env.KILN_ATTACK_SECRET = 'SECRET'
  })
  afterAll(async () => {
    delete process.env.KILN_ATTACK_SECRET
    await opened.close()
  })

  const attack = async (row: SandboxRow) => {
    const { folder, ...folders } = await world.makeJob()
    await chmod(folder, 0o777)
    const args = ['-e', row.program(world, host)]
    const known = { proc: row.proc ?? false, limits }
    if (manner === 'at once') return opened.sandbox.run({ program: 'perl', args, ...known, ...folders })
    const prewarmed = await opened.sandbox.open({ ...preloadedProgram('perl', known), args }, folders)
    await prewarmed.ready
    return prewarmed.give({ args: [] })
  }

  it.each(sandboxRows)('$name', async (row) => {
    const result = await attack(row)
    expect(result.ending).toBe('exited')
    expect(await isHit(row, result.untrustedStdout)).toBe(false)
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClosableSandbox, createSandbox } from '../../../src/sandbox/create-sandbox.ts'
import { findEngineUser } from '../../../src/sandbox/engine-user.ts'
import { describeAtLevels } from '../../describe-at-levels.ts'
import { type HostileServer, startHostileServer } from './hostile-server.ts'

// A child that a document has compromised cannot affect others.

describeAtLevels('a child of the fork server at the level %s', (level) => {
  let sandbox: ClosableSandbox
  let hostile: HostileServer
  const reportOf = async (deed: string) => (await hostile.attempt(deed)).untrustedReport

  beforeAll(async () => {
    sandbox = await createSandbox(level, await findEngineUser())
    hostile = await startHostileServer(sandbox)
  })
  afterAll(async () => {
    await hostile?.stop()
    await sandbox?.close()
  })

  it('can do what a conversion needs: read its input, write its output and temporary files, start threads', async () => {
    const allowed = [
      'read:/proc/self/cwd/in/input.docx',
      'write:/proc/self/cwd/out/output.pdf',
      'write:/proc/self/cwd/tmp/x',
      'thread',
      'read:/usr/bin/true',
    ]
    for (const deed of allowed) expect([deed, await reportOf(deed)]).toEqual([deed, 'done'])
  })

  it('does not wait until files are on the disk', async () => {
    expect(await reportOf('flush')).toBe('done')
  })

  it('can reach no file of a sibling, of the server or of the machine', async () => {
    const victim = await hostile.startVictim(4_000)
    const jobs = victim.folder.replace(/\/[^/]+$/, '')
    // They are all there: only the lock keeps the child out.
    const locked = [
      `read:${victim.folder}/in/input.docx`,
      `read:${victim.folder}/tmp/secret`,
      `write:${victim.folder}/out/output.pdf`,
      `remove:${victim.folder}/tmp/secret`,
      `list:${victim.folder}`,
      `list:${jobs}`,
      `read:/proc/${victim.pid}/environ`,
      `read:/proc/${victim.pid}/mem`,
      `read:/proc/${victim.pid}/cwd/tmp/secret`,
      `write:${jobs}/server/profile/x`,
      `write:${jobs}/server/in/text.docx`,
      `read:${jobs}/server/tmp/kept-open`,
      'write:/proc/self/cwd/in/input.docx',
    ]
    for (const deed of locked) expect([deed, await reportOf(deed)]).toEqual([deed, 'EACCES'])
    for (const path of ['/etc/passwd', '/etc/shadow', '/root'])
      expect([path, await reportOf(`read:${path}`)]).toEqual([
        path,
        expect.stringMatching(/^E(ACCES|NOENT)$/),
      ])
    expect((await victim.done).untrustedReport).toBe('done waiting')
  })

  it('can neither signal nor steer a sibling or the server', async () => {
    const victim = await hostile.startVictim(4_000)
    const deeds = ['kill', 'queue-signal', 'thread-kill', 'trace', 'limit', 'priority']
    for (const deed of deeds)
      expect([deed, await reportOf(`${deed}:${victim.pid}`)]).toEqual([
        deed,
        expect.stringMatching(/^E(PERM|ACCES)$/),
      ])
    // To every process that it may signal, and to its own group.
    for (const target of ['-1', '0']) expect(await reportOf(`kill:${target}`)).toBe('EPERM')
    expect((await victim.done).untrustedReport).toBe('done waiting')
  })

  it('can change neither mode, owner, times nor length of what the server needs', async () => {
    const victim = await hostile.startVictim(2_000)
    const server = victim.folder.replace(/[^/]+$/, 'server')
    for (const path of [server, `${server}/profile`, '/proc/self/cwd/..', victim.folder])
      for (const deed of ['mode', 'owner', 'times', 'cut'])
        expect([deed, path, await reportOf(`${deed}:${path}`)]).toEqual([deed, path, 'EPERM'])
    expect(await reportOf('mode-of-open:/proc/self/cwd/tmp')).toBe('EPERM')
    expect((await victim.done).untrustedReport).toBe('done waiting')
  })

  it('can start no process, no program and no session', async () => {
    for (const deed of ['process', 'program', 'session'])
      expect([deed, await reportOf(deed)]).toEqual([deed, 'EPERM'])
  })

  it('can open no socket of any family, and share no memory', async () => {
    // AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_VSOCK.
    for (const family of [1, 2, 10, 16, 40])
      expect([family, await reportOf(`socket:${family}`)]).toEqual([
        family,
        expect.stringMatching(/^E(PERM|ACCES)$/),
      ])
    expect(await reportOf('shared-memory')).toBe('EPERM')
  })

  it('inherits no descriptor that writes to a file, and one socket: its own to the server', async () => {
    const kinds = (await reportOf('descriptors')).trim().split(' ')
    expect(kinds).toContain('file-read')
    expect(kinds).not.toContain('file-write')
    expect(kinds.filter((kind) => kind.startsWith('socket'))).toHaveLength(1)
    expect(kinds.filter((kind) => kind.startsWith('pipe'))).toHaveLength(0)
  })
})

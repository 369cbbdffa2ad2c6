import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type ClosableSandbox, createSandbox } from '../../../src/sandbox/create-sandbox.ts'
import { findEngineUser } from '../../../src/sandbox/engine-user.ts'
import { describeAtLevels } from '../../describe-at-levels.ts'
import { type HostileServer, startHostileServer } from './hostile-server.ts'

// However a child ends, its siblings and those after it do not notice.

const mebibyte = 1024 * 1024

describeAtLevels('the end of a child at the level %s', (level) => {
  let sandbox: ClosableSandbox
  let hostile: HostileServer

  beforeAll(async () => {
    sandbox = await createSandbox(level, await findEngineUser())
    hostile = await startHostileServer(sandbox, { wallSeconds: 45, cpuSeconds: 1, diskBytes: 100 * mebibyte })
  })
  afterAll(async () => {
    await hostile?.stop()
    await sandbox?.close()
  })

  it.each([
    ['crash', { ending: 'killed', signal: 'SIGSEGV', exitCode: null }],
    ['abort', { ending: 'killed', signal: 'SIGABRT', exitCode: null }],
    ['exit:3', { ending: 'exited', signal: null, exitCode: 3 }],
    // The code of a child that could not be built, which a document may give as well.
    ['exit:125', { ending: 'exited', signal: null, exitCode: 125 }],
    ['close-channel-and-hang', { ending: 'killed', signal: 'SIGKILL', exitCode: null }],
    ['burn', { ending: 'cpu-limit', signal: 'SIGXCPU', exitCode: null }],
    ['fill-memory', { ending: 'killed', signal: 'SIGABRT', exitCode: null }],
    ['fill-disk', { ending: 'disk-limit', signal: 'SIGKILL', exitCode: null }],
    ['fill-disk-unnamed:/proc/self/cwd/tmp', { ending: 'disk-limit', signal: 'SIGKILL', exitCode: null }],
  ])('%s is reported as it was, and a sibling goes on', async (deed, expected) => {
    const victim = await hostile.startVictim(500)
    const { result, untrustedReport } = await hostile.attempt(deed)
    expect(result).toMatchObject(expected)
    expect(untrustedReport).toBe('')
    expect((await victim.done).untrustedReport).toBe('done waiting')
    expect((await hostile.attempt('thread')).untrustedReport).toBe('done')
  })

  it('hang is ended at the deadline, and a sibling goes on', async () => {
    const short = await startHostileServer(sandbox, { wallSeconds: 2 })
    onTestFinished(() => short.stop())
    const victim = await short.startVictim(100)
    const { result, untrustedReport } = await short.attempt('hang')
    expect(result).toMatchObject({ ending: 'wall-limit', signal: 'SIGKILL', exitCode: null })
    expect(untrustedReport).toBe('')
    expect((await victim.done).untrustedReport).toBe('done waiting')
    expect((await short.attempt('thread')).untrustedReport).toBe('done')
  })

  it('keeps what a child printed within bounds', async () => {
    const { result } = await hostile.attempt('fill-memory')
    expect(result.untrustedStderr).toContain('bad_alloc')
    const flood = await hostile.attempt('flood-log')
    expect(flood.result.untrustedStderr.length).toBe(hostile.server.limits.logBytes)
  })

  it('kills a child that says that it is done and goes on', async () => {
    const { result, output } = await hostile.attempt('say-done-and-go-on')
    expect(result).toMatchObject({ ending: 'exited' })
    // Whatever it wrote, nothing changes it after the result.
    expect(output === undefined || /^\d*$/.test(output)).toBe(true)
  })

  it('ends at once when it is cancelled', async () => {
    const { result } = await hostile.attempt('hang', AbortSignal.timeout(200))
    expect(result.ending).toBe('cancelled')
    expect(result.milliseconds).toBeLessThan(20_000)
  })

  it('is not started when it was cancelled before', async () => {
    const { result } = await hostile.attempt('thread', AbortSignal.abort())
    expect(result.ending).toBe('cancelled')
  })

  it('many at once, of all kinds, each get their own result', async () => {
    const deeds = ['thread', 'crash', 'thread', 'exit:3', 'abort', 'thread']
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, i) => hostile.attempt(deeds[i % 6] as string)),
    )
    results.forEach(({ result, untrustedReport }, i) => {
      if (i % 2 === 0 && i % 6 !== 4) expect([i, untrustedReport]).toEqual([i, 'done'])
      else
        expect([i, result.signal ?? result.exitCode]).toEqual([i, [0, 'SIGSEGV', 0, 3, 'SIGABRT', 0][i % 6]])
    })
  })
})

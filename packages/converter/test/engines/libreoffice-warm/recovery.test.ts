import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createColdRunner, type OfficeRunner } from '../../../src/engines/libreoffice/cold-soffice.ts'
import { createProfileSource } from '../../../src/engines/libreoffice/profile.ts'
import { createWarmRunner, type WarmOptions } from '../../../src/engines/libreoffice/warm-runner.ts'
import { type ClosableSandbox, createSandbox } from '../../../src/sandbox/create-sandbox.ts'
import { findEngineUser } from '../../../src/sandbox/engine-user.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { convert, makeHangingDocx, pagesOf, partsOf, sample } from './documents.ts'

// Servers come and go; documents do not notice.

let root: string
let sandbox: ClosableSandbox
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kiln-recovery-'))
  await chmod(root, 0o711)
  sandbox = await createSandbox('bubblewrap', await findEngineUser())
})
afterAll(async () => {
  await sandbox.close()
  await rm(root, { recursive: true, force: true })
})

async function openRunner(options: WarmOptions = {}, box: Sandbox = sandbox) {
  const folder = await mkdtemp(join(root, 'runner-'))
  await chmod(folder, 0o711)
  let coldRuns = 0
  const told: string[] = []
  const parts = partsOf(box, { scratch: folder, cache: join(root, 'cache') }, (message) => told.push(message))
  const cold = createColdRunner(parts)
  const counted: OfficeRunner = (plan, job) => {
    coldRuns += 1
    return cold(plan, job)
  }
  const warm = createWarmRunner(parts, { cold: counted, ...options })
  const docx = () => convert(warm.run, sandbox, folder, sample('text.docx'))
  return { warm, folder, docx, told, coldRuns: () => coldRuns }
}
type Opened = Awaited<ReturnType<typeof openRunner>>

/** Names of the work folders of fork servers. */
const workFolders = async (folder: string) =>
  (await readdir(folder)).filter((name) => existsSync(join(folder, name, 'server')))

/** Host process ids of fork servers whose work folder lies in the folder, the children included. */
function processesOf(folder: string, name: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== name) return false
        return readlinkSync(`/proc/${pid}/cwd`).startsWith('/jobs/') && mountsHold(pid, folder)
      } catch {
        return false
      }
    })
}

const mountsHold = (pid: number, folder: string) =>
  readFileSync(`/proc/${pid}/mountinfo`, 'utf8').includes(folder)

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 200_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It did not come to pass.')
    await delay(20)
  }
}

it('a profile that two make at once is made well', async () => {
  const folder = await mkdtemp(join(root, 'profiles-'))
  await chmod(folder, 0o711)
  const parts = partsOf(sandbox, { scratch: folder })
  const [one, other] = await Promise.all([createProfileSource(parts)(), createProfileSource(parts)()])
  expect(one).toBe(other)
  expect((await readdir(folder)).map((name) => join(folder, name))).toEqual([one])
  // What LibreOffice notes about extensions: where it is missing, every document waits while it is made anew.
  expect(await readdir(join(one, 'user'))).toContain('uno_packages')
})

// A server takes seconds to start, so tests share a runner where they leave it well.
describe('the warm runner', { timeout: 240_000 }, () => {
  let opened: Opened
  beforeAll(async () => {
    opened = await openRunner()
  })
  afterAll(() => opened?.warm.close())

  it('converts the first document cold, and warm as soon as a server serves', async () => {
    const { warm, docx, coldRuns } = opened
    expect((await docx()).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(1)
    expect(await warm.prepare()).toBeUndefined()
    expect((await docx()).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(1)
  })

  it('takes documents in a row without growing, each right', async () => {
    const { docx, coldRuns, folder } = opened
    const [server] = processesOf(folder, 'kiln-office')
    const memory = () =>
      Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${server}/status`, 'utf8'))?.[1])
    const pages = await pagesOf((await docx()).outputPath)
    const [before, coldBefore] = [memory(), coldRuns()]
    for (let n = 0; n < 15; n++) expect(await pagesOf((await docx()).outputPath)).toEqual(pages)
    expect(memory()).toBeLessThan(before * 1.05)
    expect(coldRuns()).toBe(coldBefore)
  })

  it('lets good documents pass beside one that hangs', async () => {
    const { warm, docx, folder } = opened
    const giveUp = new AbortController()
    const hanging = convert(warm.run, sandbox, folder, await makeHangingDocx(folder), {
      signal: giveUp.signal,
    })
    let ended = false
    void hanging.finally(() => {
      ended = true
    })
    for (let n = 0; n < 8; n++) expect((await docx()).untrustedReport).toBe('done\n')
    expect(ended).toBe(false)
    giveUp.abort()
    expect((await hanging).box.ending).toBe('cancelled')
  })

  it('goes on when its server is killed, and has another one', async () => {
    const { warm, docx, coldRuns, folder } = opened
    const before = coldRuns()
    const running = Array.from({ length: 4 }, docx)
    await until(() => processesOf(folder, 'kiln-document').length >= 2)
    const [server] = processesOf(folder, 'kiln-office')
    expect(server).toBeDefined()
    process.kill(server as number, 'SIGKILL')
    for (const { untrustedReport } of await Promise.all(running)) expect(untrustedReport).toBe('done\n')
    const afterKill = coldRuns()
    expect(afterKill).toBeGreaterThan(before)
    expect(await warm.prepare()).toBeUndefined()
    expect((await docx()).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(afterKill)
    expect(processesOf(folder, 'kiln-office')).not.toContain(server)
  })

  it('ends with everything it started', async () => {
    const { warm, folder } = opened
    expect(processesOf(folder, 'kiln-document').length).toBeGreaterThan(0)
    await warm.close()
    await until(
      () => [...processesOf(folder, 'kiln-office'), ...processesOf(folder, 'kiln-document')].length === 0,
    )
    expect(await workFolders(folder)).toEqual([])
  })
})

describe('the warm runner without spare children', { timeout: 240_000 }, () => {
  let opened: Opened
  beforeAll(async () => {
    opened = await openRunner({ spares: 0 })
    expect(await opened.warm.prepare()).toBeUndefined()
  })
  afterAll(() => opened?.warm.close())

  it('does not notice when a child is killed from outside, but for that document', async () => {
    const { docx, coldRuns, folder } = opened
    const running = Array.from({ length: 3 }, docx)
    await until(() => processesOf(folder, 'kiln-document').length >= 3)
    process.kill(processesOf(folder, 'kiln-document')[0] as number, 'SIGKILL')
    const endings = (await Promise.all(running)).map(({ box }) => box.ending)
    expect(endings.toSorted()).toEqual(['exited', 'exited', 'killed'])
    expect((await docx()).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(0)
  })

  it('converts a document cold whose child is stuck', async () => {
    const { docx, coldRuns, folder } = opened
    const running = docx()
    await until(() => processesOf(folder, 'kiln-document').length === 1)
    // A stopped process takes no more processor time than one that waits for a lock for ever.
    process.kill(processesOf(folder, 'kiln-document')[0] as number, 'SIGSTOP')
    expect((await running).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(1)
    expect((await docx()).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(1)
  })

  it('replaces a server that can build no child any more, and converts cold meanwhile', async () => {
    const { docx, coldRuns, folder } = opened
    const before = coldRuns()
    const [first] = processesOf(folder, 'kiln-office')
    const [work] = await workFolders(folder)
    await chmod(join(folder, work as string, 'server'), 0)
    expect((await docx()).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(before + 1)
    await until(async () => {
      expect((await docx()).untrustedReport).toBe('done\n')
      return !processesOf(folder, 'kiln-office').includes(first as number)
    })
    const whenReplaced = coldRuns()
    expect((await docx()).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(whenReplaced)
  })
})

describe('a warm runner', { timeout: 240_000 }, () => {
  const open = async (...args: Parameters<typeof openRunner>) => {
    const opened = await openRunner(...args)
    onTestFinished(() => opened.warm.close())
    return opened
  }

  it('converts a document that was just being brought when the server ended', async () => {
    let endFirst = false
    const ending: Sandbox = {
      ...sandbox,
      start: async (wanted) => {
        const box = await (sandbox.start as NonNullable<Sandbox['start']>)(wanted)
        const give = async (folder: string) => {
          if (endFirst) {
            endFirst = false
            box.kill()
            await until(() => !existsSync(wanted.workFolder))
          }
          await box.give(folder)
        }
        return { ...box, give }
      },
    }
    const { warm, docx, coldRuns } = await open({}, ending)
    expect(await warm.prepare()).toBeUndefined()
    endFirst = true
    expect((await docx()).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(1)
  })

  it('serves where Kiln itself lies below /tmp', async () => {
    const start = sandbox.start as NonNullable<Sandbox['start']>
    const below: Sandbox = {
      ...sandbox,
      start: ({ readOnly = [], ...wanted }) =>
        start({ ...wanted, readOnly: [...readOnly, { from: '/etc/fonts', to: '/tmp/kiln/fonts' }] }),
    }
    const { warm, docx, coldRuns } = await open({}, below)
    expect(await warm.prepare()).toBeUndefined()
    expect((await docx()).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(0)
  })

  it('replaces a server that has served enough, without a pause', async () => {
    const { warm, docx, coldRuns, folder } = await open({ mostDocuments: 4 })
    expect(await warm.prepare()).toBeUndefined()
    const [first] = processesOf(folder, 'kiln-office')
    await until(async () => {
      expect((await docx()).untrustedReport).toBe('done\n')
      return !processesOf(folder, 'kiln-office').includes(first as number)
    })
    expect(coldRuns()).toBe(0)
    expect(processesOf(folder, 'kiln-office').length).toBeGreaterThan(0)
    // The old one's folder goes with it.
    await until(async () => (await workFolders(folder)).length === 1)
  })

  it('keeps a server that is replaced until the document that is just being brought is done', async () => {
    const start = sandbox.start as NonNullable<Sandbox['start']>
    const gate = Promise.withResolvers<void>()
    let servers = 0
    let givenToFirst = 0
    let hold = false
    const slow: Sandbox = {
      ...sandbox,
      start: async (wanted) => {
        const box = await start(wanted)
        servers += 1
        if (servers > 1) return box
        const give = async (folder: string) => {
          givenToFirst += 1
          const isHeld = hold
          hold = false
          if (isHeld) await gate.promise
          await box.give(folder)
        }
        return { ...box, give }
      },
    }
    const { warm, docx, coldRuns } = await open({ mostDocuments: 4 }, slow)
    expect(await warm.prepare()).toBeUndefined()
    hold = true
    const held = docx()
    await until(() => !hold)
    await until(async () => {
      const before = givenToFirst
      expect((await docx()).untrustedReport).toBe('done\n')
      return givenToFirst === before
    })
    gate.resolve()
    expect((await held).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(0)
  })

  it('says once why it converts cold, and converts', async () => {
    // A sandbox that cannot keep a box, as the level without one.
    const { start: _, ...withoutStart } = sandbox
    const { docx, warm, told, coldRuns } = await open({}, withoutStart)
    expect(await warm.prepare()).toContain('cannot keep a box')
    for (let n = 0; n < 2; n++) expect((await docx()).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(2)
    expect(told).toEqual([expect.stringContaining('cannot keep a box')])
  })
})

// @module-tag slow

import { readFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cpuSecondsByProcess } from '../../../src/sandbox/cpu-time.ts'
import { convert, makeHangingDocx, makeLongDocx, pagesOf } from './documents.ts'
import {
  type Opened,
  openPlace,
  openRunner,
  type Place,
  processesOf,
  until,
  workFolders,
} from './open-runner.ts'

// Servers and their children end in the middle of their work; documents do not notice.

let place: Place
beforeAll(async () => {
  place = await openPlace()
})
afterAll(() => place.close())

// A server takes seconds to start, so tests share a runner where they leave it well.
describe('the warm runner', { timeout: 240_000 }, () => {
  let opened: Opened
  beforeAll(async () => {
    opened = await openRunner(place)
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
    const hanging = convert(warm.run, place.sandbox, folder, await makeHangingDocx(folder), {
      signal: giveUp.signal,
    })
    let ended = false
    void hanging.finally(() => {
      ended = true
    })
    for (let n = 0; n < 8; n++) expect((await docx()).untrustedReport).toBe('done\n')
    expect(ended).toBe(false)
    giveUp.abort()
    expect((await hanging).result.ending).toBe('cancelled')
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
    opened = await openRunner(place, { spares: 0 })
    expect(await opened.warm.prepare()).toBeUndefined()
  })
  afterAll(() => opened?.warm.close())

  it('does not notice when a child is killed from outside, but for that document', async () => {
    const { warm, docx, coldRuns, folder } = opened
    const hanging = convert(warm.run, place.sandbox, folder, await makeHangingDocx(folder))
    // One that is killed before it is locked in was never built, and its document is converted cold.
    const works = () =>
      [...cpuSecondsByProcess(processesOf(folder, 'kiln-document')).values()].some((used) => used > 0.1)
    await until(works)
    const [child] = processesOf(folder, 'kiln-document')
    const others = [docx(), docx()]
    process.kill(child as number, 'SIGKILL')
    expect((await hanging).result.ending).toBe('killed')
    for (const { result } of await Promise.all(others)) expect(result.ending).toBe('exited')
    expect((await docx()).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(0)
  })

  it('converts a document cold whose child is stuck', async () => {
    const { warm, docx, coldRuns, folder } = opened
    const running = convert(warm.run, place.sandbox, folder, await makeLongDocx(folder))
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
    // The first finds it out, the next has another one started.
    for (let n = 0; n < 2; n++) expect((await docx()).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(before + 2)
    await until(() => !processesOf(folder, 'kiln-office').includes(first as number))
    expect((await docx()).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(before + 2)
  })
})

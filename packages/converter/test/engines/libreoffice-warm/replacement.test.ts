// @module-tag slow

import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createProfileSource } from '../../../src/engines/libreoffice/profile.ts'
import type { WarmOptions } from '../../../src/engines/libreoffice/warm-runner.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { partsOf } from './documents.ts'
import {
  type Opened,
  openPlace,
  openRunner,
  type Place,
  processesOf,
  until,
  workFolders,
} from './open-runner.ts'

// Servers start, are replaced, or never start; documents do not notice.

let place: Place
beforeAll(async () => {
  place = await openPlace()
})
afterAll(() => place.close())

type Start = NonNullable<Sandbox['start']>

it('a profile that two make at once is made well', async () => {
  const folder = await mkdtemp(join(place.root, 'profiles-'))
  await chmod(folder, 0o711)
  const parts = partsOf(place.sandbox, { scratch: folder })
  const [one, other] = await Promise.all([createProfileSource(parts)(), createProfileSource(parts)()])
  expect(one).toBe(other)
  expect((await readdir(folder)).map((name) => join(folder, name))).toEqual([one])
  // What LibreOffice notes about extensions: where it is missing, every document waits while it is made anew.
  expect(await readdir(join(one, 'user'))).toContain('uno_packages')
})

describe('a warm runner whose Kiln lies below /tmp', { timeout: 240_000 }, () => {
  let opened: Opened
  let endFirst = false
  beforeAll(async () => {
    const start: Start = async ({ readOnly = [], ...wanted }) => {
      const below = { ...wanted, readOnly: [...readOnly, { from: '/etc/fonts', to: '/tmp/kiln/fonts' }] }
      const started = await (place.sandbox.start as Start)(below)
      const give = async (folder: string) => {
        if (endFirst) {
          endFirst = false
          started.kill()
          await until(() => !existsSync(wanted.workFolder))
        }
        await started.give(folder)
      }
      return { ...started, give }
    }
    opened = await openRunner(place, {}, { ...place.sandbox, start })
    expect(await opened.warm.prepare()).toBeUndefined()
  })
  afterAll(() => opened?.warm.close())

  it('serves', async () => {
    expect((await opened.docx()).untrustedReport).toBe('done\n')
    expect(opened.coldRuns()).toBe(0)
  })

  it('converts a document that was just being brought when the server ended', async () => {
    endFirst = true
    expect((await opened.docx()).untrustedReport).toBe('done\n')
    expect(opened.coldRuns()).toBe(1)
  })
})

describe('a warm runner', { timeout: 240_000 }, () => {
  const open = async (options: WarmOptions, base: Sandbox) => {
    const opened = await openRunner(place, options, base)
    onTestFinished(() => opened.warm.close())
    return opened
  }

  it('replaces a server that has served enough without a pause, and keeps it for the document that is just being brought', async () => {
    const gate = Promise.withResolvers<void>()
    let servers = 0
    let givenToFirst = 0
    let hold = false
    const start: Start = async (wanted) => {
      const started = await (place.sandbox.start as Start)(wanted)
      servers += 1
      if (servers > 1) return started
      const give = async (folder: string) => {
        givenToFirst += 1
        const isHeld = hold
        hold = false
        if (isHeld) await gate.promise
        await started.give(folder)
      }
      return { ...started, give }
    }
    const { warm, docx, coldRuns, folder } = await open({ maxDocuments: 4 }, { ...place.sandbox, start })
    expect(await warm.prepare()).toBeUndefined()
    const [first] = processesOf(folder, 'kiln-office')
    hold = true
    const held = docx()
    await until(() => !hold)
    await until(async () => {
      const before = givenToFirst
      expect((await docx()).untrustedReport).toBe('done\n')
      return givenToFirst === before
    })
    expect(processesOf(folder, 'kiln-office')).toContain(first)
    gate.resolve()
    expect((await held).untrustedReport).toBe('done\n')
    await until(() => !processesOf(folder, 'kiln-office').includes(first as number))
    expect(processesOf(folder, 'kiln-office').length).toBeGreaterThan(0)
    // The old one's folder goes with it.
    await until(async () => (await workFolders(folder)).length === 1)
    expect(coldRuns()).toBe(0)
  })

  it('says once why it converts cold, and converts', async () => {
    // A sandbox that cannot keep a process, as the level without one.
    const { start: _, ...withoutStart } = place.sandbox
    const { docx, warm, messages, coldRuns } = await open({}, withoutStart)
    expect(await warm.prepare()).toContain('cannot keep a process')
    for (let n = 0; n < 2; n++) expect((await docx()).untrustedReport).toBe('done\n')
    expect(coldRuns()).toBe(2)
    expect(messages).toEqual([expect.stringContaining('cannot keep a process')])
  })
})

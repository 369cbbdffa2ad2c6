import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScratch } from '../src/scratch.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kiln-scratch-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

test('folders of ended processes go at the next start, those of running ones stay', async () => {
  const running = `${process.ppid}-0000`
  // The highest number that Linux gives is 4194304; ours was another's before, as in a container.
  const ended = ['4194305-0000', `${process.pid}-0000`, 'nonsense']
  for (const name of [running, ...ended]) await mkdir(join(root, name, 'job', 'in'), { recursive: true })
  const folders = await openScratch(root)
  const others = await openScratch(root)
  const left = await readdir(root)
  for (const name of ended) expect(left).not.toContain(name)
  expect(left).toContain(running)
  expect(existsSync(folders.own) && existsSync(others.own)).toBe(true)

  const job = await folders.create()
  expect(existsSync(job.inFolder) && existsSync(job.outFolder)).toBe(true)
  await job.remove()
  expect(existsSync(job.inFolder)).toBe(false)
})

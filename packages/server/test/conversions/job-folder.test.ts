import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openJobFolders } from '../../src/conversions/job-folder.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kiln-job-folders-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

test('folders of dead workers go at the next start, those of the living stay', async () => {
  const living = `${process.ppid}-0000`
  // The highest number that Linux gives is 4194304; ours was another's before, as in a container.
  const dead = ['4194305-0000', `${process.pid}-0000`, 'nonsense']
  for (const name of [living, ...dead]) await mkdir(join(root, name, 'job', 'in'), { recursive: true })
  const folders = await openJobFolders(root)
  const left = await readdir(root)
  for (const name of dead) expect(left).not.toContain(name)
  expect(left).toContain(living)

  const job = await folders.create()
  expect(existsSync(job.inFolder) && existsSync(job.outFolder)).toBe(true)
  await job.remove()
  expect(existsSync(job.inFolder)).toBe(false)
})

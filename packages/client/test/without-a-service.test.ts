import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { repository } from '../../../e2e/start-service.ts'
import { run } from './support/run.ts'
import { markdown, temporaryFolder } from './support/service.ts'

// `npm run convert`: no service runs before, none after.

let folder: string
beforeAll(async () => {
  folder = await temporaryFolder()
  await writeFile(join(folder, 'in.md'), markdown)
})

const convert = (...args: string[]) =>
  run('npm', ['--prefix', repository, 'run', '-s', 'convert', '--', ...args], { cwd: folder })

/** Another test may be converting in the same way just now; it stops its service as well. */
const untilDatabaseStopped = () =>
  expect
    .poll(() => existsSync(join(repository, '.setup/convert/postgres/data/postmaster.pid')), {
      timeout: 40_000,
    })
    .toBe(false)

test('converts from where the user is, two at once as well, and leaves nothing running', async () => {
  const [one, other] = await Promise.all([
    convert('in.md', 'out.html'),
    convert('in.md', '-', '--to', 'rst', '-q'),
  ])
  expect(one.code, one.stderr).toBe(0)
  expect(one.stdout).toBe('')
  expect(await readFile(join(folder, 'out.html'), 'utf8')).toMatch(/<em>leaning<\/em>/)
  expect(other.code, other.stderr).toBe(0)
  expect(other.stdout).toMatch(/\*leaning\*/)
  await untilDatabaseStopped()
}, 120_000)

test('says what is wrong with the exit code of `kiln convert`, and stops all the same', async () => {
  const ran = await convert('in.md', 'out.xyz')
  expect(ran).toMatchObject({ code: 4, stderr: expect.stringMatching(/See: kiln formats/) })
  await untilDatabaseStopped()
}, 120_000)

import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markdown, temporaryFolder } from '@kiln/test-support/client-service.ts'
import { repository } from '@kiln/test-support/start-service.ts'
import { beforeAll, expect, test } from 'vitest'
import { run } from './support/run.ts'

// `npm run convert`: the converter itself, without a service.

let folder: string
beforeAll(async () => {
  folder = await temporaryFolder()
  await writeFile(join(folder, 'in.md'), markdown)
})

const convert = (...args: string[]) =>
  run('npm', ['--prefix', repository, 'run', '-s', 'convert', '--', ...args], { cwd: folder })

test('converts from where the user is, two at once as well', async () => {
  const [one, other] = await Promise.all([
    convert('in.md', 'out.html', '--report'),
    convert('in.md', '-', '--to', 'rst', '-q', '--option', 'toc=true'),
  ])
  expect(one.code, one.stderr).toBe(0)
  expect(one.stdout).toBe('')
  expect(one.stderr).toMatch(/out\.html \([^)]+\)\n {2}pandoc \d[^\n]* words\n$/)
  expect(await readFile(join(folder, 'out.html'), 'utf8')).toMatch(/<em>leaning<\/em>/)
  // The user who converts owns the output, root too.
  expect((await stat(join(folder, 'out.html'))).uid).toBe(process.getuid?.())
  expect(other.code, other.stderr).toBe(0)
  expect(other.stdout).toMatch(/^\.\. contents::[\s\S]*\*leaning\*/)
}, 120_000)

test('takes many files, and one that fails does not hold up the others', {
  timeout: 120_000,
  tags: 'slow',
}, async () => {
  await writeFile(join(folder, 'good.rst'), 'Words that *lean*.\n')
  await writeFile(join(folder, 'bad.docx'), 'no archive')
  const ran = await convert('good.rst', 'bad.docx', 'in.md', '--to', 'html', '--json', '--report')
  expect(ran.code).toBe(6)
  const lines = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.toSorted((a, b) => String(a.input).localeCompare(String(b.input)))).toMatchObject([
    {
      input: 'bad.docx',
      output: null,
      error: { code: 'conversion-failed' },
      report: { engine: { name: 'pandoc' }, input: { bytes: 10 }, output: { bytes: null } },
    },
    { input: 'good.rst', output: 'good.html', error: null },
    { input: 'in.md', output: 'in.html', error: null },
  ])
  expect(await readFile(join(folder, 'good.html'), 'utf8')).toContain('<em>lean</em>')
})

test('an archive is named as one', async () => {
  await writeFile(join(folder, 'page.html'), '<p>Words</p>')
  const { code, stderr } = await convert('page.html', '--to', 'md', '--option', 'pictures=beside')
  expect(code, stderr).toBe(0)
  expect(stderr).toMatch(/page\.html -> page\.zip/)
  expect((await readFile(join(folder, 'page.zip'))).toString('latin1', 0, 2)).toBe('PK')
}, 120_000)

test('prints its own help', async () => {
  const { code, stdout } = await convert('--help')
  expect(code).toBe(0)
  expect(stdout).toContain('npm run convert -- INPUT OUTPUT')
  expect(stdout).not.toMatch(/kiln convert|--url/)
})

test('says at once what is wrong, with the exit code of `kiln convert`', async () => {
  const unknown = await convert('in.md', 'out.xyz')
  expect(unknown).toMatchObject({ code: 4, stderr: expect.stringMatching(/See: kiln formats/) })
  const missing = await convert('nowhere.md', 'out.html')
  expect(missing).toMatchObject({
    code: 9,
    stderr: expect.stringMatching(/Cannot read nowhere\.md: no such/),
  })
}, 120_000)

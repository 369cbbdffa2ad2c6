import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commands, parseArguments } from './arguments.ts'
import { planFiles } from './plan-files.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-plan-'))
  await mkdir(join(folder, 'sub'))
  for (const name of ['a.md', 'b.md', '.hidden.md', 'sub/c.md', 'star*.md'])
    await writeFile(join(folder, name), '')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const convert = commands.find(({ name }) => name === 'convert')
if (!convert) throw new Error('no such command')

const plan = async (...args: string[]) => {
  const files = await planFiles(parseArguments(convert, args))
  return files.map(({ input, output, to }) => `${input} > ${output} (${to})`.replaceAll(`${folder}/`, ''))
}

test.each([
  [['in.docx', 'out.pdf'], ['in.docx > out.pdf (pdf)']],
  [['in.docx', 'out.pdf', '--to', 'pdf'], ['in.docx > out.pdf (pdf)']],
  [
    ['in.docx', 'out.bin', '--to', 'pdf', '--from', 'docx'],
    ['in.docx > in.pdf (pdf)', 'out.bin > out.pdf (pdf)'],
  ],
  [['in.docx', 'out.zip', '-t', 'md'], ['in.docx > out.zip (md)']],
  [
    ['a.docx', 'b.odt', '-t', 'pdf'],
    ['a.docx > a.pdf (pdf)', 'b.odt > b.pdf (pdf)'],
  ],
  [['x/a.md', '-t', 'latex', '-d', 'tex'], ['x/a.md > tex/a.tex (latex)']],
  [['-', '-f', 'md', '-t', 'html'], ['- > - (html)']],
  [['-', 'out.html', '-f', 'md'], ['- > out.html (html)']],
  [['in.md', '-', '-t', 'html'], ['in.md > - (html)']],
  [['v1.2.md', '-t', 'html'], ['v1.2.md > v1.2.html (html)']],
])('%j', async (args, planned) => {
  expect(await plan(...args)).toEqual(planned)
})

test('an archive of several outputs has its own extension, and never the name of the input', async () => {
  const archives = async (...args: string[]) =>
    (await planFiles(parseArguments(convert, args))).map(({ archiveOutput }) => archiveOutput)
  expect(await archives('x/a.docx', '-t', 'md')).toEqual(['x/a.zip'])
  expect(await archives('a.docx', '-t', 'md', '-d', 'out')).toEqual(['out/a.zip'])
  expect(await archives('a.zip', '-f', 'html', '-t', 'md')).toEqual([undefined])
  expect(await archives('a.docx', 'a.md')).toEqual([undefined])
})

test('patterns stand for files in order, hidden ones left out, at every depth', async () => {
  expect(await plan(`${folder}/?.md`, '-t', 'rst')).toEqual(['a.md > a.rst (rst)', 'b.md > b.rst (rst)'])
  expect(await plan(`${folder}/**/c.md`, '-t', 'rst')).toEqual(['sub/c.md > sub/c.rst (rst)'])
  expect(await plan(`${folder}/star*.md`, '-t', 'rst')).toEqual(['star*.md > star*.rst (rst)'])
})

test.each([
  [[], /Name a file/],
  [['a.md'], /--to FORMAT/],
  [['a.md', 'out'], /"out" has no known extension/],
  [['a.md', 'b.md', 'c.md'], /For more than one input/],
  [['a.docx', 'sub/../a.odt', '--to', 'pdf'], /Both a\.docx and sub\/\.\.\/a\.odt would become/],
  [['a.md', 'a.md'], /replace itself/],
  [['README', 'out.pdf'], /Say what README holds/],
  [['-', '--to', 'pdf'], /Say what stdin holds/],
  [['*.nothing', '--to', 'pdf'], /No file fits/],
])('%j is refused', async (args, sentence) => {
  await expect(plan(...(args as string[]))).rejects.toThrow(sentence)
})

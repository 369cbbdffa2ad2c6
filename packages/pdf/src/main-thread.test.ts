import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { convertInMainThread } from './main-thread.ts'
import type { ConvertTask, Message } from './task.ts'

const document = join(import.meta.dirname, '../fixtures/invoice-en-36.pdf')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kiln-here-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const task = (input: string): ConvertTask => ({
  input,
  output: join(folder, 'out.md'),
  format: 'md',
  options: {},
  deadline: 60,
})

it('converts, and reports progress', async () => {
  const messages: Message[] = []
  expect(await convertInMainThread(task(document), 60, (message) => messages.push(message))).toBe('ended')
  expect(messages.map((message) => Object.keys(message)[0])).toEqual([
    'progress',
    'facts',
    'progress',
    'done',
  ])
  expect(readFileSync(join(folder, 'out.md'), 'utf8')).toContain('|')
})

it('ends at its deadline in the midst of a page', async () => {
  const messages: Message[] = []
  expect(await convertInMainThread(task(document), 0.001, (message) => messages.push(message))).toBe(
    'too late',
  )
  expect(messages).not.toContainEqual({ done: true })
})

it('leaves what has no word to the thread, and says the word itself where there is one', async () => {
  expect(await convertInMainThread(task(join(folder, 'missing.pdf')), 60, () => {})).toBe('needs a thread')
  const messages: Message[] = []
  const noPdf = task(import.meta.filename)
  expect(await convertInMainThread(noPdf, 60, (message) => messages.push(message))).toBe('ended')
  expect(messages).toMatchObject([{ failure: 'corrupt-input' }])
})

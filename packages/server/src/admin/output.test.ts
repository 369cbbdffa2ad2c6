import { Command } from 'commander'
import { expect, test } from 'vitest'
import { answeringWith, formatTable, rows } from './output.ts'

test('a table lines up its columns and shows nothing as a dash', () => {
  const time = new Date('2026-01-02T03:04:05.678Z')
  expect(
    formatTable([
      { id: 'a', when: time },
      { id: 'long', when: null },
    ]),
  ).toBe('id    when\na     2026-01-02T03:04:05.678Z\nlong  -\n')
  expect(formatTable([])).toBe('(none)\n')
})

test('JSON is for programs', async () => {
  let printed = ''
  const answer = answeringWith((text) => {
    printed += text
  })
  const program = new Command()
  answer(program.command('list'), async () => rows('keys', [{ id: 'a' }]))
  await program.parseAsync(['list', '--json'], { from: 'user' })
  expect(JSON.parse(printed)).toEqual({ keys: [{ id: 'a' }] })
})

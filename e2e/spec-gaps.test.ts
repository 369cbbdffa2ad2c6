import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '@kiln/test-support/start-service.ts'
import { expect, test } from 'vitest'

test('docs/spec-gaps.md names files that exist, at least one for every decision', () => {
  const lines = readFileSync(join(repository, 'docs/spec-gaps.md'), 'utf8').split('\n')
  const rows = lines.filter((line) => line.startsWith('| ')).slice(1)
  expect(rows.length).toBeGreaterThan(20)
  for (const row of rows) {
    const files = [...(row.split(' | ').at(-1) ?? '').matchAll(/`(packages\/[^`]+)`/g)].map(
      ([, file = '']) => file,
    )
    expect(files.length, row).toBeGreaterThan(0)
    for (const file of files) expect(existsSync(join(repository, file)), file).toBe(true)
  }
})

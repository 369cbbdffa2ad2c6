import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLogDestination } from './log-destination.ts'

test('lines arrive whole and in order', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-log-'))
  const path = join(folder, 'log')
  const descriptor = openSync(path, 'w')
  const destination = createLogDestination(descriptor)
  const lines = ['first\n', `${'ü'.repeat(100_000)}\n`, 'last\n']
  for (const line of lines) destination.write(line)
  closeSync(descriptor)
  expect(readFileSync(path, 'utf8')).toBe(lines.join(''))
  rmSync(folder, { recursive: true })
})

test('a reader that is gone, or a disk that is full, neither throws nor holds up', () => {
  const full = openSync('/dev/full', 'w')
  const destination = createLogDestination(full)
  const began = performance.now()
  for (let n = 0; n < 1000; n++) destination.write('lost\n')
  expect(performance.now() - began).toBeLessThan(500)
  closeSync(full)
})

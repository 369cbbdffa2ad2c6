import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { admin, startService } from '../service-process.ts'

test('a service that ran before is up again in under 3 seconds, with the same accounts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-start-time-'))
  await (await startService(folder)).stop('SIGINT')
  const again = await startService(folder)
  try {
    // The second half is for a slow machine, on which everything takes longer.
    expect(again.readyAfter).toBeLessThan(Math.max(3000, 75 * emptyProgram()))
    const { stdout } = await admin(folder, 'account', 'list', '--json')
    expect(JSON.parse(stdout).accounts).toHaveLength(1)
  } finally {
    await again.stop('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
})

/** Milliseconds that a program takes which does nothing, here and now. */
function emptyProgram(): number {
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now()
    spawnSync(process.execPath, ['--eval', '0'])
    return performance.now() - began
  })
  return Math.min(...times)
}

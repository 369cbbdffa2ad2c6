import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { admin, startService } from '../service-process.ts'

/** How many times longer than on an idle machine work takes now: its wall time divided by its CPU time. */
function slowdown(): number {
  const milliseconds = 300
  const began = performance.now()
  const before = process.cpuUsage()
  let spent = 0
  while (spent < milliseconds) {
    const { user, system } = process.cpuUsage(before)
    spent = (user + system) / 1000
  }
  return Math.max(1, (performance.now() - began) / milliseconds)
}

test('a service that ran before is up again in under 3 seconds, with the same accounts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-start-time-'))
  await (await startService(folder)).stop('SIGINT')
  const before = slowdown()
  const again = await startService(folder)
  try {
    expect(again.readyAfter).toBeLessThan(3000 * Math.max(before, slowdown()))
    const { stdout } = await admin(folder, 'account', 'list', '--json')
    expect(JSON.parse(stdout).accounts).toHaveLength(1)
  } finally {
    await again.stop('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
})

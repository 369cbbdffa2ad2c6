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
    expect(again.readyAfter).toBeLessThan(3000)
    const { stdout } = await admin(folder, 'account', 'list', '--json')
    expect(JSON.parse(stdout).accounts).toHaveLength(1)
  } finally {
    await again.stop('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
})

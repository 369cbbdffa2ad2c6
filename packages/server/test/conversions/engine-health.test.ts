import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pairs } from '@kiln/converter/catalog'
import { afterAll, expect, test } from 'vitest'
import { createLog } from '../../src/log/log.ts'
import { startHeartbeat } from '../../src/wiring/heartbeat.ts'
import { useService } from '../support/service.ts'

// An engine that breaks down while the service runs, and works again later. The engine is the test's own; everything
// around it is real.

const service = useService(
  {},
  pairs.filter(({ slug }) => slug === 'md-to-html'),
)
let heartbeat: ReturnType<typeof startHeartbeat> | undefined
afterAll(() => heartbeat?.stop())

test('is reported until it works again, and files wait for it', async () => {
  let broken = true
  const worker = service.startWorker(async ({ outFolder }) => {
    if (broken) throw new Error('the fonts in /srv/kiln are gone')
    await writeFile(join(outFolder, 'output.html'), '<!doctype html><title>A</title><p>A health check.</p>')
    return 'output.html'
  })
  heartbeat = startHeartbeat({
    kind: 'worker',
    database: service.database,
    dataDir: service.folder,
    log: createLog('silent', false),
    beatEveryMilliseconds: 20,
    worker: {
      load: worker.load,
      unhealthy: worker.health.unhealthy,
      converter: await worker.converter,
    },
  })
  const readiness = async () => {
    const answer = await fetch(new URL('/readyz', service.base))
    return `${answer.status} ${await answer.text()}`
  }
  await expect.poll(readiness).toMatch(/^200/)

  await Promise.all(['one', 'two', 'three'].map((text) => service.convert(text)))
  await expect.poll(readiness, { timeout: 20_000 }).toMatch(/^503 .*The engine pandoc fails/)
  expect(await readiness()).not.toContain('/srv')
  const page = await (await fetch(new URL('/status', service.base))).text()
  expect(page).toContain('The engine pandoc fails')

  const waiting = await service.convert('A health check.')
  broken = false
  await expect.poll(readiness, { timeout: 20_000 }).toMatch(/^200/)
  expect(await service.ended(waiting)).toMatchObject({ status: 'done' })
})

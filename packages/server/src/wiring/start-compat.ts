import type { FastifyInstance } from 'fastify'
import type { CompatAppParts } from '../compat/compat-app.ts'
import type { Config } from '../config/config.ts'
import { createSend } from '../webhooks/send.ts'
import { checkUrl } from '../webhooks/webhooks.ts'

/** For a whole file, which takes longer to send than an event. */
const webhookMilliseconds = 120_000

/** Listens for the APIs of other services, if any is enabled. Their code is loaded only then. */
export async function startCompat({
  config,
  ...parts
}: Pick<
  CompatAppParts,
  'jobs' | 'keys' | 'workers' | 'cpuBudget' | 'faults' | 'log' | 'metrics' | 'isStopping'
> & {
  config: Config
}): Promise<FastifyInstance | null> {
  if (config.compat.length === 0) return null
  const { createCompatApp } = await import('../compat/compat-app.ts')
  const { dataDir, trustedProxies, host, compatPort: port, webhooksToPrivate: allowPrivate } = config
  const app = await createCompatApp({
    ...parts,
    dataDir,
    trustedProxies,
    apis: config.compat,
    defaultKey: config.compatKey,
    maxBytes: config.compatMaxBytes,
    webhooks: {
      send: createSend({ allowPrivate, withinMilliseconds: webhookMilliseconds }),
      checkUrl: (url) => checkUrl(url, allowPrivate),
    },
  })
  await app.listen({ port, host })
  parts.log.info({ port, apis: config.compat }, 'compatibility APIs are ready')
  return app
}

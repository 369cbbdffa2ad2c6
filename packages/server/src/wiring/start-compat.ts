import type { FastifyInstance } from 'fastify'
import type { CompatAppParts } from '../compat/compat-app.ts'
import type { Config } from '../config/config.ts'

/** Listens for the APIs of other services, where any is enabled. Their code is loaded only then. */
export async function startCompat({
  config,
  ...parts
}: Pick<CompatAppParts, 'jobs' | 'keys' | 'faults' | 'log' | 'metrics' | 'isStopping'> & {
  config: Config
}): Promise<FastifyInstance | null> {
  if (config.compat.length === 0) return null
  const { createCompatApp } = await import('../compat/compat-app.ts')
  const { dataDir, trustedProxies, host, compatPort: port } = config
  const app = await createCompatApp({
    ...parts,
    dataDir,
    trustedProxies,
    apis: config.compat,
    defaultKey: config.compatKey,
    maxBytes: config.compatMaxBytes,
  })
  await app.listen({ port, host })
  parts.log.info({ port, apis: config.compat }, 'compatibility APIs are ready')
  return app
}

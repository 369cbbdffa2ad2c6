import { freePort } from '@kiln/test-support/free-port.ts'
import { type Child, startChild } from './child.ts'
import type { BareSettings } from './servers/bare.ts'
import type { KilnApiSettings } from './servers/kiln-api.ts'

export interface KilnApi extends Child {
  origin: string
  base: string
}

export async function startKilnApi(databaseUrl: string, folder: string): Promise<KilnApi> {
  const port = await freePort()
  const child = await startChild('kiln-api.ts', { databaseUrl, folder, port } satisfies KilnApiSettings)
  const origin = `http://127.0.0.1:${port}`
  return { ...child, origin, base: `${origin}/api` }
}

export async function startBareServer(databaseUrl: string): Promise<Child & { origin: string }> {
  const port = await freePort()
  const child = await startChild('bare.ts', { databaseUrl, port } satisfies BareSettings)
  return { ...child, origin: `http://127.0.0.1:${port}` }
}

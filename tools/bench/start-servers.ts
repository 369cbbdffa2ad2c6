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

export interface BareServer extends Child {
  origin: string
  uploadUrl: string
}

export async function startBareServer(databaseUrl: string, folder: string): Promise<BareServer> {
  const port = await freePort()
  const uploadPort = await freePort()
  const settings: BareSettings = { databaseUrl, folder, port, uploadPort }
  const child = await startChild('bare.ts', settings)
  return { ...child, origin: `http://127.0.0.1:${port}`, uploadUrl: `http://127.0.0.1:${uploadPort}/` }
}

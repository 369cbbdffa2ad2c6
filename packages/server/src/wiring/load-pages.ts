import { mkdir } from 'node:fs/promises'
import type { Config } from '../config/config.ts'
import type { Console, ConsoleParts } from '../console/index.ts'
import type { WebApp, WebAppParts } from '../web/index.ts'

// The console and the web app are imported with the first request to them: most processes never need their code.

export type PageParts = { config: Config } & Omit<
  ConsoleParts & WebAppParts,
  Exclude<keyof Config, 'pairs'> | 'scratchFolder' | 'retention'
>

export async function loadConsole(parts: PageParts): Promise<Console> {
  const { config } = parts
  const { createConsole } = await import('../console/index.ts')
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 })
  return createConsole({
    ...config,
    ...parts,
    scratchFolder: config.dataDir,
    retention: {
      outputSeconds: config.outputTtlSeconds,
      recordSeconds: config.recordTtlSeconds,
      uploadSeconds: config.uploadTtlSeconds,
    },
  })
}

export async function loadWebApp(parts: PageParts): Promise<WebApp> {
  const { createWebApp } = await import('../web/index.ts')
  return createWebApp({ ...parts.config, ...parts })
}

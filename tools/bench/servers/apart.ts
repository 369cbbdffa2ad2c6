import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@kiln/test-support/free-port.ts'
import { startSwift } from '@kiln/test-support/swift.ts'
import { endProcess } from '../child.ts'
import { unlimited } from './settings.ts'

// `npm run api` and `npm run worker` unchanged, with a shared database and a bucket.

export interface ServiceApart {
  base: string
  apiPid: number
  workerPid: number
  stop(): Promise<void>
}

const repository = fileURLToPath(new URL('../../..', import.meta.url))

export async function startApart(databaseUrl: string, folder: string): Promise<ServiceApart> {
  await using stack = new AsyncDisposableStack()
  const swift = await startSwift('kiln-bench')
  stack.defer(swift.stop)
  const port = await freePort()
  const environment = {
    ...unlimited(databaseUrl, folder, port),
    PATH: process.env.PATH,
    HOME: folder,
    KILN_WORKER_TOKEN: 'a-token-that-workers-have-in-common',
    KILN_STOP_NOTICE_SECONDS: '0',
  }
  const ofPart: Record<'api' | 'worker', Record<string, string>> = {
    api: {
      KILN_S3_BUCKET: swift.settings.bucket,
      KILN_S3_ENDPOINT: swift.settings.endpoint as string,
      KILN_S3_ACCESS_KEY_ID: swift.settings.accessKeyId,
      KILN_S3_SECRET_ACCESS_KEY: swift.settings.secretAccessKey,
    },
    worker: { KILN_WORKER_API_URL: `http://127.0.0.1:${port}` },
  }
  const start = async (part: 'api' | 'worker') => {
    const own = join(folder, part)
    await mkdir(own, { mode: 0o755 })
    const child = spawn(process.execPath, [`packages/server/src/main-${part}.ts`], {
      cwd: repository,
      env: { ...environment, ...ofPart[part], KILN_DATA_DIR: own },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    stack.defer(() => endProcess(child, 'SIGTERM'))
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes(`${part} is ready`)) break
    }
    child.stdout.resume()
    return child.pid as number
  }
  const [apiPid, workerPid] = [await start('api'), await start('worker')]
  // The warm LibreOffice starts during the first jobs.
  await sleep(1000)
  const opened = stack.move()
  return { base: `http://127.0.0.1:${port}/api`, apiPid, workerPid, stop: () => opened.disposeAsync() }
}

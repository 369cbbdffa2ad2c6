import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of the loopback address that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/**
 * One that only root may open. Tests that run at the same time begin to look at different places. Of the ports of mail
 * and file transfer from 989 on, some are closed to `fetch`.
 */
export async function freeReservedPort(): Promise<number> {
  const [lowest, count] = [700, 289]
  const first = randomInt(count)
  for (let tries = 0; tries < count; tries++) {
    const port = lowest + ((first + tries) % count)
    if (await isFree(port)) return port
  }
  throw new Error('no free port below 1024')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

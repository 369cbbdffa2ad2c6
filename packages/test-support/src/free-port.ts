import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// A port is opened by a process that starts later, so it must not be one that the kernel assigns to an outgoing
// connection meanwhile: those begin at 32768. Concurrent tests start their search at different ports.

/** A port of the loopback address that is free now. */
export const freePort = (): Promise<number> => freePortBetween(12_000, 32_767)

/** A port that only root may open. `fetch` blocks some of the ports from 989 on. */
export const freeReservedPort = (): Promise<number> => freePortBetween(700, 988)

async function freePortBetween(lowest: number, highest: number): Promise<number> {
  const count = highest - lowest + 1
  const first = randomInt(count)
  for (let tries = 0; tries < count; tries++) {
    const port = lowest + ((first + tries) % count)
    if (await isFree(port)) return port
  }
  throw new Error(`no port from ${lowest} to ${highest} is free`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch {
    // The port is in use.
    return false
  } finally {
    server.close()
  }
}

import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of the loopback address that nobody listens on just now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** One that only root may open. */
export async function freeReservedPort(): Promise<number> {
  for (let port = 1023; port > 700; port--) {
    const server = createServer().listen(port, '127.0.0.1')
    const free = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ])
    server.close()
    if (free) return port
  }
  throw new Error('no free port below 1024')
}

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

// A TCP proxy between the service and a dependency. Closed, it refuses connections, like a machine without a server.
// Silent, it accepts them and never answers, like a network that drops packets: only a deadline detects that.

export interface Gate {
  port: number
  close(): Promise<void>
  open(): Promise<void>
  silence(yes: boolean): void
  end(): Promise<void>
}

export type Address = { host: string; port: number } | { path: string }

/** Listens on a free port of the loopback interface, or at the given path. */
export async function openGate(target: Address, path?: string): Promise<Gate> {
  const sockets = new Set<Socket>()
  let silent = false
  const server = createServer((client) => {
    const upstream = connect('path' in target ? { path: target.path } : target)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    if (silent) return void [client, upstream].forEach(swallow)
    client.pipe(upstream)
    upstream.pipe(client)
  })
  let port = 0
  const open = async () => {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      if (path) server.listen(path, resolve)
      else server.listen(port, '127.0.0.1', resolve)
    })
    if (!path) port = (server.address() as AddressInfo).port
  }
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await open()
  return {
    port,
    open,
    close,
    silence(yes) {
      silent = yes
      // Requests on a silenced connection never get an answer; the end of the silence closes it.
      for (const socket of sockets) {
        if (yes) swallow(socket.unpipe())
        else socket.destroy()
      }
    },
    end: async () => {
      if (server.listening) await close()
    },
  }
}

/** Discards the data; only the end of the connection is noticed. */
const swallow = (socket: Socket): void => void socket.on('data', () => {}).resume()

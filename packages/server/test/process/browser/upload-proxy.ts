import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

// A proxy between the browser and the service that cuts or holds an upload in its middle, as a bad connection does.

export interface UploadProxy {
  origin: string
  /** The next upload loses its connection after some of its bytes. */
  cutNextUpload(): void
  /** The next upload stops moving after some of its bytes. */
  holdNextUpload(): void
  cuts(): number
  holds(): number
  close(): Promise<void>
}

const passedBytes = 200_000

export async function startUploadProxy(target: string): Promise<UploadProxy> {
  const { hostname, port } = new URL(target)
  let next: 'cut' | 'hold' | null = null
  const counts = { cut: 0, hold: 0 }
  const sockets = new Set<Socket>()

  const server = createServer((browser) => {
    const service = connect(Number(port), hostname)
    for (const socket of [browser, service]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        browser.destroy()
        service.destroy()
      })
    }
    service.pipe(browser)
    let fate: typeof next = null
    let bytes = 0
    let isHeld = false
    browser.on('data', (chunk: Buffer) => {
      if (next && chunk.subarray(0, 15).toString('latin1').startsWith('PUT /files/in/')) {
        fate = next
        next = null
        bytes = 0
      }
      bytes += chunk.length
      if (isHeld) return
      if (fate === null || bytes < passedBytes) return void service.write(chunk)
      counts[fate]++
      if (fate === 'cut') browser.destroy()
      isHeld = true
      fate = null
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    cutNextUpload: () => {
      next = 'cut'
    },
    holdNextUpload: () => {
      next = 'hold'
    },
    cuts: () => counts.cut,
    holds: () => counts.hold,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

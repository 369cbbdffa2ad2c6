import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  cwd?: string
  env?: Record<string, string>
  stdin?: string | Uint8Array
  onStart?: (child: ChildProcess) => void
}

/** Runs a program to its end, with nothing of this process's environment but where programs are. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const { PATH = '', HOME = '', LANG = 'C.UTF-8' } = process.env
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { PATH, HOME, LANG, ...options.env },
      stdio: 'pipe',
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (text) => {
      stdout += text
    })
    child.stderr.on('data', (text) => {
      stderr += text
    })
    child.stdin.on('error', () => {})
    child.stdin.end(options.stdin ?? '')
    options.onStart?.(child)
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** A server that answers every GET with so many zero bytes, for readers that must not keep them. */
export async function serveZeros(bytes: number): Promise<{ url: string; close(): void }> {
  const piece = Buffer.alloc(256 * 1024)
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': bytes, 'content-type': 'application/octet-stream' })
    let left = bytes
    const more = () => {
      while (left > 0) {
        const part = piece.subarray(0, Math.min(left, piece.length))
        left -= part.length
        if (!response.write(part)) {
          response.once('drain', more)
          return
        }
      }
      response.end()
    }
    more()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

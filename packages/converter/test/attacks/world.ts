import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { type EngineUser, findEngineUser } from '../../src/sandbox/engine-user.ts'

// The environment of an engine, as an attacker would like it: a web server that records every request, world-readable
// files with secrets, and a secret in an environment variable. An attack succeeds when the server received a request or
// a secret is in the output.

const secretText = 'KILN-SECRET-TEXT-7391'
const secretEnvironment = 'KILN-SECRET-ENVIRONMENT-5520'

// A picture that no converter would create: its comment is the secret.
const secretPicture = Buffer.concat([
  Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff', 'latin1'),
  Buffer.from(`\x21\xfe${String.fromCharCode(secretText.length)}${secretText}\x00`, 'latin1'),
  Buffer.from('\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x01\x44\x00\x3b', 'latin1'),
])

export interface World {
  /** Such as http://127.0.0.1:34567 */
  canary: string
  /** Requests since the last call. */
  takeHits(): string[]
  /** Folder with secret.txt, secret.tex, secret.csv, secret.css and secret.gif. */
  secrets: string
  user: EngineUser
  /** A fresh job folder with /in and /out, in a place that engines reach. */
  makeJob(): Promise<{ folder: string; inFolder: string; outFolder: string }>
  /** Runs a program without a sandbox, by default as the engine user, with the secret in its environment. */
  runBare(
    program: string,
    args: readonly string[],
    folder: string,
    user?: { uid?: number },
  ): Promise<{ output: string; ok: boolean }>
  close(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const user = await findEngineUser()
  const root = await mkdtemp('/var/tmp/kiln-attacks-')
  await chmod(root, 0o755)
  const secrets = join(root, 'secrets')
  await mkdir(secrets)
  await writeFile(join(secrets, 'secret.txt'), `${secretText}\n`)
  await writeFile(join(secrets, 'secret.tex'), `${secretText}\n`)
  await writeFile(join(secrets, 'secret.csv'), `${secretText},b\n`)
  await writeFile(join(secrets, 'secret.css'), `/* ${secretText} */\n`)
  await writeFile(join(secrets, 'secret.gif'), secretPicture)

  let hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`)
    const isPicture = request.url?.endsWith('.gif')
    response.setHeader('content-type', isPicture ? 'image/gif' : 'text/html')
    response.end(isPicture ? secretPicture : `<p>${secretText}</p>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    canary: `http://127.0.0.1:${port}`,
    takeHits() {
      const taken = hits
      hits = []
      return taken
    },
    secrets,
    user,
    async makeJob() {
      const folder = await mkdtemp(join(root, 'job-'))
      await chmod(folder, 0o755)
      const [inFolder, outFolder] = [join(folder, 'in'), join(folder, 'out')]
      await mkdir(inFolder)
      await mkdir(outFolder)
      await chmod(outFolder, 0o777)
      return { folder, inFolder, outFolder }
    },
    runBare: (program, args, folder, { uid = user.uid } = {}) =>
      new Promise((resolve) => {
        const identity = user.drop ? { uid, gid: user.gid } : {}
        const env = { PATH: '/usr/bin:/bin', HOME: folder, LANG: 'C.UTF-8', SECRET: secretEnvironment }
        const options = { cwd: folder, env, timeout: 30_000, maxBuffer: 64 * 1024 * 1024, ...identity }
        execFile(program, args, options, (error, stdout, stderr) =>
          resolve({ output: stdout + stderr, ok: error === null }),
        )
      }),
    async close() {
      server.close()
      server.closeAllConnections()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** All text of a file; of a package, of all its parts. */
export function contentsOf(file: Buffer): string {
  if (file.subarray(0, 4).toString('latin1') !== 'PK\x03\x04') return withDataUris(file.toString('latin1'))
  const texts: string[] = []
  let at = file.indexOf('PK\x01\x02', 0, 'latin1')
  while (at !== -1 && file.subarray(at, at + 4).toString('latin1') === 'PK\x01\x02') {
    const method = file.readUInt16LE(at + 10)
    const size = file.readUInt32LE(at + 20)
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      file.readUInt16LE(at + offset),
    )
    const local = file.readUInt32LE(at + 42)
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const data = file.subarray(start, start + size)
    texts.push(withDataUris((method === 8 ? inflateRawSync(data) : data).toString('latin1')))
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0)
  }
  return texts.join('\n')
}

function withDataUris(text: string): string {
  const decoded = [...text.matchAll(/base64,([A-Za-z0-9+/=]+)/g)].map(([, data]) =>
    Buffer.from(data ?? '', 'base64').toString('latin1'),
  )
  return [text, ...decoded].join('\n')
}

export const holdsSecret = (text: string) => text.includes(secretText) || text.includes(secretEnvironment)

import { spawn } from 'node:child_process'
import { crc32, deflateSync } from 'node:zlib'
import { type Bytes, type Client, type Job, upload } from './service.ts'

// Conversions with options, as any client would ask for them.

export type Options = Readonly<Record<string, unknown>>

export const runWith = async (client: Client, pair: string, bytes: Bytes, options: Options): Promise<Job> => {
  const answer = await client.submit({ pair, bytes: bytes.length, options })
  if (answer.status !== 201) throw new Error(`${pair} ${JSON.stringify(options)}: ${answer.text}`)
  const { jobId, uploadUrl } = answer.body as { jobId: string; uploadUrl: string }
  await upload(uploadUrl, bytes)
  return client.ended(jobId)
}

/** A whole conversion that must succeed; answers with the output. */
export const convertWith = async (
  client: Client,
  pair: string,
  bytes: Bytes,
  options: Options,
): Promise<Bytes> => {
  const job = await runWith(client, pair, bytes, options)
  if (job.downloadUrl === null) throw new Error(`${pair} ended ${job.status}: ${job.error}`)
  return new Uint8Array(await (await fetch(job.downloadUrl)).arrayBuffer())
}

/** Poppler's word on a PDF. */
export const askPoppler = (program: string, args: readonly string[], pdf: Uint8Array): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, [...args, '-'], { stdio: ['pipe', 'pipe', 'ignore'] })
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    child.once('error', reject)
    child.once('close', () => resolve(said))
    child.stdin.on('error', () => {})
    child.stdin.end(pdf)
  })

export const pagesOf = async (pdf: Uint8Array): Promise<number> =>
  Number(/^Pages:\s+(\d+)/m.exec(await askPoppler('pdfinfo', [], pdf))?.[1])

/** A picture that compresses badly, as photographs do: 200 × 200 pixels, always the same. */
export const photograph = (): Buffer => {
  const side = 200
  let seed = 7
  const noise = Buffer.alloc(side * (3 * side + 1))
  for (let at = 0; at < noise.length; at++) {
    seed = (seed * 48_271) % 2_147_483_647
    // Each row begins with the number of its filter: none.
    noise[at] = at % (3 * side + 1) === 0 ? 0 : seed & 255
  }
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.from([0, 0, 0, side, 0, 0, 0, side, 8, 2, 0, 0, 0])
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(noise)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

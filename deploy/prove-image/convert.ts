import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { BuiltStage } from './carry-out.ts'
import { commandIn } from './system-root.ts'

// The image as a container runs it: an ordinary user, no privilege, a read-only root with two folders to
// write to. A document of each kind goes through it, and its text must come out.

export interface Proof {
  level: string
  converted: string[]
}

const mark = 'Fired clay'
const documents = [
  { pair: 'md-to-html', body: `# ${mark}\n` },
  { pair: 'md-to-docx', body: `# ${mark}\n` },
  { pair: 'txt-to-pdf', body: `${mark}\n` },
  { pair: 'html-to-pdf', body: `<!doctype html><p>${mark}</p>\n` },
]

export async function convertInImage(image: BuiltStage): Promise<Proof> {
  const port = await freePort()
  const environment = { ...image.settings.environment, KILN_PORT: String(port), HOME: '/var/lib/kiln' }
  const [program = '', ...args] = commandIn(image.root, [...image.entrypoint, ...image.command], {
    ...image.settings,
    environment,
    readOnly: { writable: ['/var/lib/kiln', '/tmp'] },
  })
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const origin = `http://127.0.0.1:${port}`
  try {
    await untilReady(origin, child, () => output)
    const { sandbox } = (await (await fetch(`${origin}/healthz`)).json()) as { sandbox: string }
    const key = /kiln_live_[0-9A-Za-z]+/.exec(output)?.[0]
    if (!key) throw new Error(`No key was printed:\n${output}`)
    const converted: string[] = []
    for (const document of documents) converted.push(await convert(origin, key, document))
    return { level: sandbox, converted }
  } catch (error) {
    throw new Error(`${(error as Error).message}\nThe service said:\n${output.slice(-4000)}`)
  } finally {
    await end(child)
  }
}

async function convert(
  origin: string,
  key: string,
  { pair, body }: { pair: string; body: string },
): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const submitted = await fetch(`${origin}/api/v1/conversions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ pair, bytes: Buffer.byteLength(body) }),
  })
  if (submitted.status !== 201) throw new Error(`${pair}: ${submitted.status} ${await submitted.text()}`)
  const { jobId, uploadUrl } = (await submitted.json()) as { jobId: string; uploadUrl: string }
  await fetch(uploadUrl.replace(/^http:\/\/[^/]+/, origin), { method: 'PUT', body })
  for (;;) {
    const answer = await fetch(`${origin}/api/v1/conversions/${jobId}`, {
      headers: { ...headers, prefer: 'wait=25' },
    })
    const job = (await answer.json()) as { status: string; error: string | null; downloadUrl: string }
    if (job.status === 'failed') throw new Error(`${pair} failed: ${job.error}`)
    if (job.status !== 'done') continue
    const output = await fetch(job.downloadUrl.replace(/^http:\/\/[^/]+/, origin))
    const text = await textOf(pair, Buffer.from(await output.arrayBuffer()))
    if (!text.includes(mark)) throw new Error(`${pair} lost the text: ${text.slice(0, 200)}`)
    return pair
  }
}

async function textOf(pair: string, bytes: Buffer): Promise<string> {
  if (pair.endsWith('-html')) return bytes.toString()
  const folder = await mkdtemp(join(tmpdir(), 'kiln-proof-'))
  const path = join(folder, 'output')
  await writeFile(path, bytes)
  const [program, args] = pair.endsWith('-pdf')
    ? (['pdftotext', [path, '-']] as const)
    : (['unzip', ['-p', path, 'word/document.xml']] as const)
  try {
    return (await promisify(execFile)(program, [...args])).stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function untilReady(origin: string, child: ChildProcess, output: () => string): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(200)) {
    if (child.exitCode !== null) throw new Error('The service ended before it was ready.')
    const isReady = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady && /kiln_live_/.test(output())) return
  }
  throw new Error('The service was not ready within two minutes.')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const alarm = setTimeout(() => child.kill('SIGKILL'), 30_000)
  await ended
  clearTimeout(alarm)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BuiltStage } from './carry-out.ts'
import { startContainer } from './container.ts'

// The image as a container runs it: an ordinary user, no privilege, a read-only root with two folders to
// write to. A document of each kind goes through it, and its text must come out. A second one runs beside it
// all the while: containers of one image share a user, and what the kernel counts of that user.

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
  const [beside, service] = [await startContainer(image), await startContainer(image)]
  try {
    await beside.untilReady()
    const key = await service.untilReady()
    const { sandbox } = (await (await fetch(`${service.origin}/healthz`)).json()) as { sandbox: string }
    const page = await fetch(`${service.origin}/console`)
    if (page.status !== 200) throw new Error(`The console is answered ${page.status}.`)
    const converted: string[] = []
    for (const document of documents) converted.push(await convert(service.origin, key, document))
    return { level: sandbox, converted }
  } catch (error) {
    throw new Error(`${(error as Error).message}\nThe service said:\n${service.output().slice(-4000)}`)
  } finally {
    await Promise.all([beside.end(), service.end()])
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

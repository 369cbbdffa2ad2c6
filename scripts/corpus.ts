import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

// Runs every file of a folder through a running service, as a client would: plain fetch, nothing of the
// server's code. Prints one row per file, or JSON.
//
//   KILN_API_KEY=kiln_live_… npm run corpus -- DIR [--json] [--parallel 2]
//
// KILN_URL is the service's base URL, http://127.0.0.1:8080/api unless told otherwise.
// Ends with code 1 when a file did not come to an end; a failed conversion is an end.

interface Row {
  file: string
  pair: string
  status: string
  reason: string
  seconds: number
  bytes: number
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, parallel: { type: 'string', default: '2' } },
})
const [folder] = positionals
const key = process.env.KILN_API_KEY
const base = (process.env.KILN_URL ?? 'http://127.0.0.1:8080/api').replace(/\/$/, '')

// The name's ending decides the pair: documents to PDF, interchange formats to DOCX, videos to MP4 or WebM.
const targets: Record<string, readonly string[]> = {
  pdf: ['docx', 'doc', 'odt', 'rtf', 'txt', 'xlsx', 'xls', 'ods', 'csv', 'pptx', 'ppt', 'odp', 'odg'],
  docx: ['md', 'html', 'epub', 'latex', 'rst', 'pdf'],
  mp4: ['mov', 'mkv', 'avi', 'webm', 'wmv', 'flv', 'mpeg', 'ts', 'm4v', '3gp', 'ogv', 'gif'],
  webm: ['mp4'],
}
const formatByExtension: Record<string, string> = {
  ...{
    markdown: 'md',
    tex: 'latex',
    htm: 'html',
    xhtml: 'html',
    mpg: 'mpeg',
    asf: 'wmv',
    '3g2': '3gp',
    m2ts: 'ts',
  },
  ...{
    docm: 'docx',
    dotx: 'docx',
    xlsm: 'xlsx',
    xlsb: 'xlsx',
    xltx: 'xlsx',
    pptm: 'pptx',
    ppsx: 'pptx',
    potx: 'pptx',
  },
}

export function pairForFile(name: string): string | undefined {
  const extension = extname(name).slice(1).toLowerCase()
  const from = formatByExtension[extension] ?? extension
  const to = Object.entries(targets).find(([, sources]) => sources.includes(from))?.[0]
  return to && `${from}-to-${to}`
}

async function call(path: string, init: RequestInit = {}): Promise<Response> {
  const url = path.startsWith('/') ? `${base}${path}` : path
  for (;;) {
    const response = await fetch(url, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
    })
    if (response.status !== 429 && response.status !== 503) return response
    await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1))
  }
}

async function answer<T>(response: Response, expected: readonly number[]): Promise<T> {
  const body = (await response.json()) as T & { error?: string; code?: string }
  if (expected.includes(response.status)) return body
  throw new Error(`${body.code ?? response.status}: ${body.error ?? 'no error text'}`)
}

interface Job {
  status: string
  downloadUrl: string | null
  error: string | null
}

async function convert(path: string, pair: string): Promise<Pick<Row, 'status' | 'reason' | 'bytes'>> {
  const { size } = await stat(path)
  const submitted = await answer<{ jobId: string; uploadUrl: string }>(
    await call('/v1/conversions', { method: 'POST', body: JSON.stringify({ pair, bytes: size }) }),
    [200, 201],
  )
  const upload = await fetch(submitted.uploadUrl, {
    method: 'PUT',
    headers: { 'content-length': String(size) },
    body: Readable.toWeb(createReadStream(path)) as ReadableStream,
    duplex: 'half',
  } as RequestInit)
  if (!upload.ok) throw new Error(`upload refused with ${upload.status}: ${await upload.text()}`)
  for (;;) {
    const poll = await call(`/v1/conversions/${submitted.jobId}`, { headers: { prefer: 'wait=20' } })
    const job = await answer<Job>(poll, [200])
    if (job.status === 'failed') return { status: job.status, reason: job.error ?? '', bytes: 0 }
    if (job.status === 'done' && job.downloadUrl) {
      const head = await fetch(job.downloadUrl, { method: 'HEAD' })
      return { status: job.status, reason: '', bytes: Number(head.headers.get('content-length') ?? 0) }
    }
    await sleep(200)
  }
}

async function rowOf(file: string, offered: ReadonlySet<string>): Promise<Row> {
  const started = performance.now()
  const pair = pairForFile(file)
  const row = {
    file: relative(folder ?? '.', file),
    pair: pair ?? '-',
    status: 'skipped',
    reason: '',
    bytes: 0,
  }
  if (!pair) return { ...row, reason: 'no pair for this ending', seconds: 0 }
  if (!offered.has(pair)) return { ...row, reason: 'the service does not offer this pair', seconds: 0 }
  try {
    Object.assign(row, await convert(file, pair))
  } catch (error) {
    Object.assign(row, { status: 'error', reason: error instanceof Error ? error.message : String(error) })
  }
  return { ...row, seconds: Math.round((performance.now() - started) / 10) / 100 }
}

function printRow(row: Row): void {
  const size = row.bytes > 0 ? `${(row.bytes / 1024).toFixed(0)} KB` : '-'
  const seconds = row.seconds.toFixed(2)
  const cells = [
    row.file.padEnd(62),
    row.pair.padEnd(14),
    row.status.padEnd(8),
    seconds.padStart(8),
    size.padStart(10),
  ]
  process.stdout.write(`${cells.join(' ')}  ${row.reason}\n`)
}

async function main(): Promise<void> {
  if (!folder || !key) {
    process.stderr.write('Usage: KILN_API_KEY=… [KILN_URL=…] npm run corpus -- DIR [--json] [--parallel N]\n')
    process.exitCode = 2
    return
  }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const { pairs } = await answer<{ pairs: { pair: string }[] }>(await call('/v1/formats'), [200])
  const offered = new Set(pairs.map(({ pair }) => pair))
  const rows: Row[] = []
  let next = 0
  const worker = async () => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      const row = await rowOf(file, offered)
      rows.push(row)
      if (!values.json) printRow(row)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Number(values.parallel)) }, worker))
  const count = (status: string) => rows.filter((row) => row.status === status).length
  if (values.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else {
    const [done, failed, skipped, error] = ['done', 'failed', 'skipped', 'error'].map(count)
    process.stdout.write(
      `\n${rows.length} files: ${done} done, ${failed} failed, ${skipped} skipped, ${error} errors\n`,
    )
  }
  if (count('error') > 0) process.exitCode = 1
}

await main()

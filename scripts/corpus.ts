import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { formatOfName, Kiln } from '@kiln/client'

// Runs every file of a folder through a running service, with the client that people install. Prints one row per
// file, or JSON.
//
//   KILN_API_KEY=kiln_live_… npm run corpus -- DIR [--json] [--parallel 2]
//
// KILN_URL is the service's base URL, http://127.0.0.1:8080/api unless told otherwise.
// Ends with code 1 when a file did not come to an end; a failed conversion is an end.

interface Row {
  file: string
  pair: string
  status: 'done' | 'failed' | 'skipped' | 'error'
  reason: string
  seconds: number
  bytes: number
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, parallel: { type: 'string', default: '2' } },
})
const [folder] = positionals
const { KILN_API_KEY: apiKey, KILN_URL: baseUrl = 'http://127.0.0.1:8080/api' } = process.env

/** What a format becomes: the first of these that the service offers. */
const interchange = ['md', 'html', 'epub', 'latex', 'rst', 'pdf']
const targetsOf = (from: string) => (interchange.includes(from) ? ['docx'] : ['pdf', 'mp4', 'webm'])

async function convert(
  kiln: Kiln,
  path: string,
  pair: string,
): Promise<Pick<Row, 'status' | 'reason' | 'bytes'>> {
  const { size } = await stat(path)
  const job = await kiln.submit({ pair, bytes: size })
  await kiln.upload(job, path)
  const { status, error, downloadUrl } = await kiln.wait(job.jobId, { timeout: 3_600_000 })
  if (status !== 'done' || !downloadUrl) return { status: 'failed', reason: error ?? '', bytes: 0 }
  const head = await fetch(downloadUrl, { method: 'HEAD' })
  return { status, reason: '', bytes: Number(head.headers.get('content-length') ?? 0) }
}

async function rowOf(kiln: Kiln, path: string, offered: ReadonlySet<string>): Promise<Row> {
  const started = performance.now()
  const from = formatOfName(path) ?? ''
  const pair = targetsOf(from)
    .map((to) => `${from}-to-${to}`)
    .find((each) => offered.has(each))
  const row = { file: relative(folder ?? '.', path), pair: pair ?? '-', reason: '', seconds: 0, bytes: 0 }
  if (!pair) return { ...row, status: 'skipped', reason: 'the service offers no pair for this ending' }
  const ended = await convert(kiln, path, pair).catch((error: unknown) => ({
    ...{ status: 'error' as const, bytes: 0 },
    reason: error instanceof Error ? error.message : String(error),
  }))
  return { ...row, ...ended, seconds: Math.round((performance.now() - started) / 10) / 100 }
}

function printRow({ file, pair, status, seconds, bytes, reason }: Row): void {
  const size = bytes > 0 ? `${(bytes / 1024).toFixed(0)} KB` : '-'
  const cells = [file.padEnd(62), pair.padEnd(14), status.padEnd(8)]
  process.stdout.write(
    `${cells.join(' ')} ${seconds.toFixed(2).padStart(8)} ${size.padStart(10)}  ${reason}\n`,
  )
}

async function main(): Promise<void> {
  if (!folder || !apiKey) {
    process.stderr.write('Usage: KILN_API_KEY=… [KILN_URL=…] npm run corpus -- DIR [--json] [--parallel N]\n')
    process.exitCode = 2
    return
  }
  const kiln = new Kiln({ apiKey, baseUrl })
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const offered = new Set((await kiln.formats()).map(({ pair }) => pair))
  const rows: Row[] = []
  let next = 0
  const worker = async () => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      const row = await rowOf(kiln, file, offered)
      rows.push(row)
      if (!values.json) printRow(row)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Number(values.parallel)) }, worker))
  const count = (status: Row['status']) => rows.filter((row) => row.status === status).length
  const sums = (['done', 'failed', 'skipped', 'error'] as const).map((status) => `${count(status)} ${status}`)
  if (values.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else process.stdout.write(`\n${rows.length} files: ${sums.join(', ')}\n`)
  if (count('error') > 0) process.exitCode = 1
}

await main()

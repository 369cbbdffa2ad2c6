import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { onDatabase } from '@kiln/test-support/on-database.ts'
import { fromBuffer } from 'yauzl'
import type { Order } from '../orders.ts'
import type { Invariant, SystemState } from '../system-state.ts'

// Every output of a done job is fetched and searched: it must contain both marks of its input.

export const outputsAreWhole: Invariant = {
  name: 'every `done` has a whole output',
  async check(state) {
    const faults: string[] = []
    const sizes = await outputSizes(state)
    for (const { jobId, order, deleted } of state.acknowledged) {
      const job = state.ended.get(jobId)
      if (job?.status !== 'done') continue
      if (deleted) {
        if (job.downloadUrl) faults.push(`${jobId} was deleted, but has a link`)
        continue
      }
      const fault = job.downloadUrl ? await lookInto(job.downloadUrl, order, sizes.get(jobId)) : 'has no link'
      if (fault) faults.push(`${jobId} (${order.pair}) is done, but its output ${fault}`)
    }
    return faults
  },
}

const outputSizes = ({ databaseUrl }: SystemState): Promise<Map<string, number>> =>
  onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; bytes: string }>(
      'select id, output_bytes as bytes from jobs where output_bytes is not null',
    )
    return new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]))
  })

async function lookInto(url: string, order: Order, size: number | undefined): Promise<string | null> {
  const answer = await fetch(url)
  if (!answer.ok) return `cannot be fetched: ${answer.status}`
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (bytes.length !== size) return `has ${bytes.length} bytes, and the table says ${size}`
  const content = await textOf(order, bytes)
  for (const mark of [`begin${order.mark}`, `end${order.mark}`]) {
    if (!content.includes(mark)) return `lacks ${mark}`
  }
  return null
}

function textOf({ pair }: Order, bytes: Buffer): Promise<string> | string {
  if (pair === 'md-to-html') return bytes.toString()
  return pair === 'txt-to-pdf' ? pdfText(bytes) : wordText(bytes)
}

async function pdfText(bytes: Buffer): Promise<string> {
  const child = execFile('pdftotext', ['-', '-'])
  child.stdin?.end(bytes)
  const content = text(child.stdout as NodeJS.ReadableStream as never)
  await once(child, 'close')
  // A long word is broken at the end of a line.
  return (await content).replaceAll(/\s/g, '')
}

const wordText = (bytes: Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error)
      zip.on('entry', (entry) => {
        if (entry.fileName !== 'word/document.xml') return zip.readEntry()
        zip.openReadStream(entry, (fault, stream) => (fault ? reject(fault) : resolve(text(stream))))
      })
      zip.on('end', () => resolve(''))
      zip.on('error', reject)
      zip.readEntry()
    })
  })

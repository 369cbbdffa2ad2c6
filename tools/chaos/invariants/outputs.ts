import { onDatabase } from '@kiln/test-support/on-database.ts'
import { unzip } from '@kiln/test-support/zip.ts'
import { pdfText } from '../../../e2e/pdf-text.ts'
import type { ConversionRequest } from '../requests.ts'
import type { Invariant, SystemState } from '../system-state.ts'

// Every output of a done job is fetched and searched: it must contain both marks of its input.

export const outputsAreWhole: Invariant = {
  name: 'every `done` has a whole output',
  async check(state) {
    const faults: string[] = []
    const sizes = await outputSizes(state)
    for (const { jobId, request, deleted } of state.acknowledged) {
      const job = state.ended.get(jobId)
      if (job?.status !== 'done') continue
      if (deleted) {
        if (job.downloadUrl) faults.push(`${jobId} was deleted, but has a link`)
        continue
      }
      const fault = job.downloadUrl
        ? await lookInto(job.downloadUrl, request, sizes.get(jobId))
        : 'has no link'
      if (fault) faults.push(`${jobId} (${request.pair}) is done, but its output ${fault}`)
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

async function lookInto(
  url: string,
  request: ConversionRequest,
  size: number | undefined,
): Promise<string | null> {
  const answer = await fetch(url)
  if (!answer.ok) return `cannot be fetched: ${answer.status}`
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (bytes.length !== size) return `has ${bytes.length} bytes, and the table says ${size}`
  const content = await textOf(request, bytes)
  for (const mark of [`begin${request.mark}`, `end${request.mark}`]) {
    if (!content.includes(mark)) return `lacks ${mark}`
  }
  return null
}

async function textOf({ pair }: ConversionRequest, bytes: Buffer): Promise<string> {
  if (pair === 'md-to-html') return bytes.toString()
  // A long word is broken at the end of a line.
  if (pair === 'txt-to-pdf') return (await pdfText(bytes)).replaceAll(/\s/g, '')
  return unzip(bytes).get('word/document.xml')?.toString() ?? ''
}

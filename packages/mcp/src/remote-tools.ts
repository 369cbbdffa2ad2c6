import { type ConversionOptions, formatNamed, type Job, KilnError, type Progress } from '@kiln/client'
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { conversionAnswer, conversionResult } from './answers.ts'
import { begin } from './background.ts'
import { type CallDocument, decodeBase64 } from './call-body.ts'
import { nextPage, type Reading, reading, readOutput, readReport } from './output-text.ts'
import { reportTo } from './progress.ts'
import { advised, convertsFiles, createServer, optionsInput, signalOf, type ToolParts } from './tools.ts'

// convert_file and check_conversion for a remote agent, over HTTP. There is no shared disk: a small document is part of
// the call, and the agent uploads a larger file itself to an upload URL. The output is a download URL and, if it is text,
// its text, a page at a time. Calls are stateless, so that any process of the service can handle the next one.

type Given = ConversionOptions | undefined

export function createRemoteServer(parts: ToolParts): McpServer {
  const { kiln } = parts
  const server = createServer(
    parts,
    'Converts files between office, document, PDF and video formats. This server does not see your files: send a small document as text or base64, or declare its size and upload it to the URL that you get. A long conversion answers with a job id: call check_conversion until it is done.',
  )

  server.registerTool(
    'convert_file',
    {
      title: 'Convert a file',
      description:
        'Converts a document or video into another format: office documents to PDF, PDF to Word, Markdown, HTML, EPUB, LaTeX, RST among one another, video transcodes. This server cannot read your disk. Pass exactly one of: `text`, the content of a text document; `base64`, the content of a file up to 8 MB; `bytes`, the exact size of a larger file, which you then upload with PUT to the upload_url of the answer, before you call check_conversion. The answer holds a download_url for the output, and its text where it is text: a long one comes as an outline and its first page, and check_conversion gives any other page by its number. Each conversion counts against the account’s allowance.',
      inputSchema: z.object({
        from: z.string().min(1).describe('Source format, for example "md" or "docx".'),
        to: z.string().min(1).describe('Target format, for example "pdf".'),
        text: z.string().optional().describe('The document, if its format is text.'),
        base64: z.string().optional().describe('The file, base64.'),
        bytes: z.number().int().min(0).optional().describe('Exact size of a file that you upload yourself.'),
        options: optionsInput,
        max_characters: reading.max_characters,
      }),
      outputSchema: conversionAnswer,
      annotations: convertsFiles,
    },
    (args, context) => {
      const pair = `${formatNamed(args.from)}-to-${formatNamed(args.to)}`
      return advised(kiln, pair, async () => {
        const given = [args.text, args.base64, args.bytes].filter((each) => each !== undefined)
        if (given.length !== 1) {
          throw new KilnError('bad-request', 'Pass exactly one of `text`, `base64` and `bytes`.')
        }
        if (args.bytes !== undefined) return declare(parts, pair, args.bytes, args.options, context)
        return convert(parts, pair, documentOf(parts, args), context, args)
      })
    },
  )

  server.registerTool(
    'check_conversion',
    {
      title: 'Check a conversion',
      description:
        'Waits for a conversion that convert_file answered with a job_id, and gives its output; of a long text the page that you ask for.',
      inputSchema: z.object({ job_id: z.string().min(1).max(200), ...reading }),
      outputSchema: conversionAnswer,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (args, context) =>
      advised(kiln, null, () => follow(parts, args.job_id, context, args, parts.answerWithin)),
  )

  return server
}

function documentOf(
  parts: ToolParts,
  args: { text?: string | undefined; base64?: string | undefined },
): Uint8Array {
  const { text, base64 = '' } = args
  const inside: CallDocument = text === undefined ? decodeBase64(base64) : { bytes: Buffer.from(text) }
  const { bytes, fault } = parts.document ?? inside
  if (fault !== undefined) throw new KilnError('bad-request', fault)
  return bytes
}

async function declare(
  parts: ToolParts,
  pair: string,
  bytes: number,
  options: Given,
  context: ServerContext,
): Promise<CallToolResult> {
  const job = await parts.kiln.submit({
    pair,
    bytes,
    options,
    signal: signalOf(context, parts),
    timeout: 30_000,
  })
  return conversionResult({
    status: 'waiting-for-upload',
    job_id: job.jobId,
    upload_url: job.uploadUrl,
    next: `Send exactly ${bytes} bytes with PUT to the upload URL, without credentials (for example: curl -T FILE "URL"). Then call check_conversion with job_id "${job.jobId}".`,
  })
}

async function convert(
  parts: ToolParts,
  pair: string,
  bytes: Uint8Array,
  context: ServerContext,
  wanted: Reading & { options?: Given },
): Promise<CallToolResult> {
  const { kiln } = parts
  const until = Date.now() + parts.answerWithin
  const signal = signalOf(context, parts)
  const onProgress = reportTo(context)
  const job = await kiln.submit({
    pair,
    bytes: bytes.byteLength,
    options: wanted.options,
    signal,
    timeout: 20_000,
  })
  try {
    await kiln.upload(job, bytes, { signal, onProgress, timeout: Math.max(5000, until - Date.now()) })
    return await follow(parts, job.jobId, context, wanted, Math.max(1000, until - Date.now()), onProgress)
  } catch (error) {
    // Its id was not returned to anyone, so it could never be picked up.
    if (signal.aborted) await kiln.delete(job.jobId, { timeout: 10_000 }).catch(() => {})
    throw error
  }
}

async function follow(
  parts: ToolParts,
  jobId: string,
  context: ServerContext,
  wanted: Reading,
  milliseconds: number,
  onProgress = reportTo(context),
): Promise<CallToolResult> {
  const signal = signalOf(context, parts)
  let stage = 'queue' as Progress['stage']
  const onStage = (progress: Progress) => {
    stage = progress.stage
    onProgress(progress)
  }
  const work = begin((stop) => parts.kiln.wait(jobId, { signal: stop, onProgress: onStage }))
  try {
    const waited = await work.wait(milliseconds, signal, parts.hurry)
    if (waited.ended) return await outputOf(parts, waited.value, wanted, signal)
  } finally {
    work.cancel()
  }
  return conversionResult({
    status: stage === 'conversion' ? 'processing' : 'queued',
    job_id: jobId,
    next: `It is not done yet. If you were to upload the file and have not, do that; then call check_conversion with job_id "${jobId}".`,
  })
}

async function outputOf(
  parts: ToolParts,
  job: Job,
  wanted: Reading,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const { jobId, expiresAt, downloadUrl } = job
  const { bytes, part } = await readOutput(parts, jobId, wanted, signal)
  const next = nextPage(jobId, part, wanted)
  return conversionResult({
    status: 'done',
    job_id: jobId,
    ...(bytes === null ? {} : { bytes }),
    ...(downloadUrl === null ? {} : { download_url: downloadUrl }),
    ...(expiresAt === null ? {} : { expires_at: expiresAt }),
    ...(await readReport(parts.kiln, jobId, signal)),
    ...part,
    ...(next === undefined ? {} : { next }),
  })
}

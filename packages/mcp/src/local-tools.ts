import {
  type ConversionOptions,
  extensionOf,
  formatNamed,
  formatOfName,
  KilnError,
  type Progress,
  type Saved,
} from '@kiln/client'
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type AllowedFolders, type OutputPlace, PathRefused } from './allowed-folders.ts'
import { type ConversionAnswer, conversionAnswer, conversionResult } from './answers.ts'
import { begin, type Work, WorkList } from './background.ts'
import { readReport } from './conversion-report.ts'
import { optionsInput, optionsOf } from './options.ts'
import { nextPage, type Reading, reading, readOutput } from './output-text.ts'
import { reportTo } from './progress.ts'
import { advised, convertsFiles, createServer, signalOf, type ToolParts } from './tools.ts'

// convert_file and check_conversion on the disk that the agent works on. Paths stay inside the allowed
// folders, nothing is replaced unasked, and a conversion that takes longer than a host waits goes on in
// the background: its job id is the answer, and check_conversion picks it up.

export type CreateLocalServer = (parts: ToolParts) => McpServer

interface Conversion {
  work: Work<Saved>
  shown: string
  /** Where its news go: to whoever waits for it now. */
  listener: (progress: Progress) => void
  stage: Progress['stage']
}

const overwrite = z.boolean().optional().describe('Replace a file that exists. Only if the user agreed.')

/** The tools for some folders. What runs in the background is kept between the servers of one process. */
export function localTools(files: AllowedFolders): CreateLocalServer {
  const running = new WorkList<Conversion>()
  return (parts) => createLocalServer(files, running, parts)
}

function createLocalServer(
  files: AllowedFolders,
  running: WorkList<Conversion>,
  parts: ToolParts,
): McpServer {
  const { kiln, owner = '' } = parts
  const mine = (jobId: string) => `${owner} ${jobId}`
  const where = `Only files in ${files.folders.join(' and ')} can be read and written.`
  const server = createServer(
    parts,
    `Converts files between office, document, PDF and video formats with a Kiln service. ${where} A long conversion answers with a job id: call check_conversion until it is done.`,
  )

  server.registerTool(
    'convert_file',
    {
      title: 'Convert a file',
      description: `Converts a file on this machine into another format and writes the result beside it or where you say: office documents to PDF, PDF to Word, Markdown, HTML, EPUB, LaTeX, RST among one another, video transcodes. ${where} Existing files are left alone unless overwrite is true. Pass max_characters or page to have the text of the output in the answer as well, a page at a time. Each conversion counts against the user's allowance. If it takes long, the answer is a job_id: then call check_conversion.`,
      inputSchema: z.object({
        input_path: z
          .string()
          .min(1)
          .describe('The file to convert; absolute, or relative to the allowed folder.'),
        to: z.string().optional().describe('Target format, for example "pdf". Else from output_path.'),
        output_path: z
          .string()
          .min(1)
          .optional()
          .describe('Where to write. Else beside the input, with the new extension.'),
        from: z.string().optional().describe('Source format, if the file name does not tell it.'),
        options: optionsInput,
        overwrite,
        ...reading,
      }),
      outputSchema: conversionAnswer,
      annotations: convertsFiles,
    },
    (args, context) => {
      const from = args.from ? formatNamed(args.from) : formatOfName(args.input_path)
      const to = args.to ? formatNamed(args.to) : args.output_path && formatOfName(args.output_path)
      return advised(kiln, `${from}-to-${to}`, async () => {
        if (!to) throw new PathRefused('Say what the file is to become: pass `to`, for example "pdf".')
        if (!from)
          throw new PathRefused('The name does not tell the format: pass `from`, for example "docx".')
        const output = args.output_path ?? besideInput(args.input_path, to)
        const conversion = await start(args.input_path, output, {
          from,
          to,
          overwrite: args.overwrite ?? false,
          ...optionsOf(args.options),
        })
        return follow(conversion, context, true, args)
      })
    },
  )

  server.registerTool(
    'check_conversion',
    {
      title: 'Check a conversion',
      description:
        'Waits for a conversion that convert_file answered with a job_id, and writes its output. Also resumes a job of an earlier session; then say output_path.',
      inputSchema: z.object({
        job_id: z.string().min(1).max(200),
        output_path: z
          .string()
          .min(1)
          .optional()
          .describe('Where to write the output of a job of an earlier session.'),
        overwrite,
        ...reading,
      }),
      outputSchema: conversionAnswer,
      annotations: { ...convertsFiles, idempotentHint: true },
    },
    ({ job_id, output_path, overwrite: replace = false, ...wanted }, context) =>
      advised(kiln, null, async () => {
        const known = running.find(mine(job_id))
        if (known) return follow({ jobId: job_id, conversion: known }, context, false, wanted)
        if (output_path === undefined) return stateOf(job_id, context, wanted)
        return follow(await resume(job_id, output_path, replace), context, false, wanted)
      }),
  )

  /** Opens the files and begins; the job's id is known with its first news. */
  async function start(
    inputPath: string,
    outputPath: string,
    options: { from: string; to: string; overwrite: boolean; options?: ConversionOptions },
  ): Promise<Started> {
    const input = await files.openInput(inputPath)
    const output = await files.openOutput(outputPath).catch(async (error) => {
      await input.close()
      throw error
    })
    return beginWith(output, async (signal, onProgress) => {
      try {
        const call = kiln.convert(input.path, { ...options, ...target(output), signal, onProgress })
        return await named(output, call.catch(renamed(input.path, inputPath)))
      } finally {
        await input.close()
      }
    })
  }

  async function resume(jobId: string, outputPath: string, replace: boolean): Promise<Started> {
    const output = await files.openOutput(outputPath)
    const started = beginWith(output, (signal, onProgress) =>
      named(output, kiln.resume(jobId, { ...target(output), overwrite: replace, signal, onProgress })),
    )
    started.jobId = jobId
    return started
  }

  function beginWith(
    output: OutputPlace,
    run: (signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<Saved>,
  ): Started {
    const conversion: Conversion = {
      work: begin(runAndClose),
      shown: output.shown,
      listener: () => {},
      stage: 'upload',
    }
    const started: Started = { jobId: null, conversion }
    async function runAndClose(signal: AbortSignal): Promise<Saved> {
      try {
        return await run(signal, (progress) => {
          started.jobId = progress.jobId
          conversion.stage = progress.stage
          conversion.listener(progress)
        })
      } finally {
        await output.close()
      }
    }
    return started
  }

  /** Waits for a conversion as long as a host does, and tells how far it is. */
  async function follow(
    started: Started,
    context: ServerContext,
    isFirst: boolean,
    wanted: Reading,
  ): Promise<CallToolResult> {
    const { conversion } = started
    conversion.listener = reportTo(context)
    const signal = signalOf(context, parts)
    try {
      let waited = await conversion.work.wait(parts.answerWithin, signal, parts.hurry)
      // The job's id is the least that an answer needs; there are some seconds left for it.
      for (let turn = 0; !waited.ended && started.jobId === null && turn < 100; turn++) {
        waited = await conversion.work.wait(100, signal)
      }
      if (waited.ended) {
        if (started.jobId !== null) running.forget(mine(started.jobId))
        const { jobId, bytes } = waited.value
        return conversionResult({
          ...{ status: 'done', job_id: jobId, output_path: conversion.shown, bytes },
          ...(await readReport(kiln, jobId, signal)),
          ...(await textOf(jobId, wanted, signal)),
        })
      }
    } catch (error) {
      // A cancelled first call takes its work with it; a later one only stops waiting.
      if (isFirst && signal.aborted) {
        conversion.work.cancel()
        // Nobody has been told its id: nobody could pick it up.
        if (started.jobId !== null) await kiln.delete(started.jobId, { timeout: 10_000 }).catch(() => {})
      }
      if (!signal.aborted && started.jobId !== null) running.forget(mine(started.jobId))
      throw error
    } finally {
      conversion.listener = () => {}
    }
    const { jobId } = started
    if (jobId === null) {
      conversion.work.cancel()
      throw new KilnError('connection', 'The service did not take the job in time.')
    }
    running.keep(mine(jobId), conversion)
    return conversionResult({
      status: conversion.stage === 'queue' || conversion.stage === 'upload' ? 'queued' : 'processing',
      job_id: jobId,
      output_path: conversion.shown,
      next: `It is still going on. Call check_conversion with job_id "${jobId}".`,
    })
  }

  /** The text of an output, for an agent that asks for it. */
  async function textOf(jobId: string, wanted: Reading, signal: AbortSignal) {
    if (wanted.max_characters === undefined && wanted.page === undefined) return {}
    const { part } = await readOutput(parts, jobId, wanted, signal)
    const next = nextPage(jobId, part, wanted)
    return { ...part, ...(next === undefined ? {} : { next }) }
  }

  /** A job of which nobody here knows where its output should go. */
  async function stateOf(jobId: string, context: ServerContext, wanted: Reading): Promise<CallToolResult> {
    const job = await kiln.get(jobId, { signal: signalOf(context, parts), timeout: 30_000 })
    if (job.status === 'failed' || (job.status === 'done' && job.downloadUrl === null)) {
      // Says why, in the words of the library.
      await kiln.download(jobId, { signal: signalOf(context, parts), timeout: 10_000 })
    }
    const answer: ConversionAnswer = {
      status: job.status === 'done' ? 'done' : job.status === 'processing' ? 'processing' : 'queued',
      job_id: jobId,
      next: 'Call check_conversion again with output_path, to wait for the output and write it there.',
    }
    if (job.downloadUrl !== null) answer.download_url = job.downloadUrl
    if (job.expiresAt !== null) answer.expires_at = job.expiresAt
    if (job.status !== 'done') return conversionResult(answer)
    const signal = signalOf(context, parts)
    return conversionResult({
      ...answer,
      ...(await readReport(kiln, jobId, signal)),
      ...(await textOf(jobId, wanted, signal)),
    })
  }

  return server
}

interface Started {
  jobId: string | null
  conversion: Conversion
}

const target = ({ path }: OutputPlace) => ({ output: path, followLinks: false })

const besideInput = (input: string, to: string) =>
  `${input.replace(/(?<=[^./\\])\.[^./\\]+$/, '')}.${extensionOf(to)}`

/** Messages name the path that the agent gave, not the handle behind it. */
const named = <T>({ path, shown }: OutputPlace, promise: Promise<T>): Promise<T> =>
  promise.catch(renamed(path, shown))

const renamed = (path: string, shown: string) => (error: unknown) => {
  if (error instanceof Error) error.message = error.message.replaceAll(path, () => shown)
  throw error
}

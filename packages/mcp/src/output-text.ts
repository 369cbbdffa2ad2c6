import { formatOfName, isTextFormat, type Kiln, type Report, reportLines } from '@kiln/client'
import { z } from 'zod'
import type { ConversionAnswer } from './answers.ts'
import { fitting, heaviestPage, type TextPage } from './text-pages.ts'
import type { ToolParts } from './tools.ts'

// The text of an output, one page at a time: the first one with an outline, the others by their number.

export const reading = {
  max_characters: z
    .number()
    .int()
    .min(200)
    .optional()
    .describe(
      `Most characters of text in the answer; ${heaviestPage} at most, fewer in scripts like Chinese.`,
    ),
  page: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Which page of the text; 1 unless given. Pass the same max_characters with every page.'),
}

export interface Reading {
  max_characters?: number | undefined
  page?: number | undefined
}

/** Longer ones are for programs that read files. */
const longestText = 8 * 1024 * 1024

export interface ReadOutput {
  bytes: number | null
  /** The requested page, where the output is text and not too much work to page. */
  part: TextPage | null
}

export async function readOutput(
  { kiln, largeInput }: Pick<ToolParts, 'kiln' | 'largeInput'>,
  jobId: string,
  { max_characters = heaviestPage, page = 1 }: Reading,
  signal: AbortSignal,
): Promise<ReadOutput> {
  // Also reports why there is nothing to fetch.
  const { stream, bytes, contentType, fileName } = await kiln.download(jobId, { signal, timeout: 20_000 })
  const isText = isTextFormat(formatOfName(fileName ?? '') ?? '') || contentType?.startsWith('text/')
  if (!isText || bytes === null || bytes > longestText) {
    await stream.cancel()
    return { bytes, part: null }
  }
  const load = async () => new Uint8Array(await new Response(stream).arrayBuffer())
  return { bytes, part: await largeInput.readPage(load, { page, maxCharacters: max_characters }, signal) }
}

/** How to get the next page. */
export function nextPage(jobId: string, part: TextPage | null, reading: Reading): string | undefined {
  if (part?.pages === undefined || part.page === undefined) return undefined
  const call = (page: number) => {
    const limit = reading.max_characters === undefined ? '' : `, max_characters: ${reading.max_characters}`
    return `check_conversion with job_id "${jobId}", page: ${page}${limit}`
  }
  if (part.text === undefined)
    return `There is no page ${part.page}: the text has ${part.pages} pages. Call ${call(1)}.`
  if (part.page === part.pages) return undefined
  return `This is page ${part.page} of ${part.pages}. For the next call ${call(part.page + 1)}; any page can be asked for by its number.`
}

// The report of a conversion, in every answer about it. Warnings are separate, because an agent should pass them on.

const heaviestWarnings = 2500
const heaviestReport = 1500

type ReportParts = Pick<ConversionAnswer, 'warnings' | 'report'>

/** Empty where the report cannot be read: the output matters more. */
export async function readReport(kiln: Kiln, jobId: string, signal: AbortSignal): Promise<ReportParts> {
  return kiln.report(jobId, { signal, timeout: 5000 }).then(partsOf, () => ({}))
}

function partsOf(report: Report): ReportParts {
  const lines = reportLines({ ...report, warnings: [], more: { ...report.more, warnings: 0 } })
  const { warnings } = report
  return {
    ...(warnings.length > 0 ? { warnings: fitting(warnings, heaviestWarnings) } : {}),
    ...(lines.length > 0 ? { report: fitting(lines, heaviestReport) } : {}),
  }
}

import type { ConversionPair, UsageSnapshot } from '@kiln/client'
import { z } from 'zod'

// The results of the tools: structured content for hosts, and text for models.

export const conversionAnswer = z.object({
  status: z
    .enum(['done', 'queued', 'processing', 'waiting-for-upload'])
    .describe('`done`, or what is still going on; then call check_conversion.'),
  job_id: z.string().describe('Pass it to check_conversion.'),
  output_path: z.string().optional().describe('Where the output was, or will be, written.'),
  bytes: z.number().optional().describe('Size of the output.'),
  download_url: z.string().optional().describe('Where to fetch the output with a plain GET.'),
  expires_at: z.string().optional().describe('When the download link stops working.'),
  upload_url: z.string().optional().describe('Where to send the file with PUT.'),
  text: z.string().optional().describe('The output, where it is text: one page of it, if it is long.'),
  page: z.number().optional().describe('Which page of the text this is.'),
  pages: z.number().optional().describe('How many pages the text has; ask for others by their number.'),
  outline: z.array(z.string()).optional().describe('Headings of a long text, with their pages.'),
  warnings: z
    .array(z.string())
    .optional()
    .describe('What differs from the file that was converted. Tell the user.'),
  report: z.array(z.string()).optional().describe('What the converter saw and did.'),
  next: z.string().optional().describe('What to do now.'),
})
export type ConversionAnswer = z.infer<typeof conversionAnswer>

export function conversionResult(answer: ConversionAnswer) {
  const { status, output_path, bytes, download_url, text, next, page, pages } = answer
  const { outline = [], warnings = [], report = [] } = answer
  const size = bytes === undefined ? '' : ` (${bytes} bytes)`
  const lines = [
    status !== 'done' ? `Status: ${status}. Job: ${answer.job_id}.` : '',
    status === 'done' && output_path ? `Converted: ${output_path}${size}.` : '',
    status === 'done' && !output_path ? `Converted${size}. Job: ${answer.job_id}.` : '',
    download_url ? `Download with a plain GET until ${answer.expires_at}: ${download_url}` : '',
    answer.upload_url ? `Upload URL: ${answer.upload_url}` : '',
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...report,
    outline.length > 0 ? `Outline:\n${outline.join('\n')}` : '',
    text === undefined
      ? ''
      : `${pages === undefined ? 'The output' : `Page ${page} of ${pages} of the output`}:\n\n${text}`,
    next ?? '',
  ]
  return {
    content: [{ type: 'text' as const, text: lines.filter((line) => line !== '').join('\n') }],
    structuredContent: answer,
  }
}

export const formatsAnswer = z.object({
  pairs: z.array(
    z.object({ from: z.string(), to: z.string(), max_megabytes: z.number(), cost_credits: z.number() }),
  ),
  options: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON Schema of the options, where one pair was asked for.'),
})

/** `options` is the JSON Schema of those that the only pair takes. */
export function formatsResult(pairs: readonly ConversionPair[], options?: Record<string, unknown>) {
  const sources = [...new Set(pairs.map(({ from }) => from))]
  const lines = sources.map((source) => {
    const targets = pairs.filter(({ from }) => from === source).map(({ to }) => to)
    return `${source} to ${targets.join(', ')}`
  })
  const described = Object.entries((options?.properties ?? {}) as Record<string, { description?: string }>)
  const named = described.map(([name, { description }]) => `option ${name}: ${description}`)
  const text = lines.length > 0 ? [...lines, ...named].join('\n') : 'Nothing of that kind can be converted.'
  return {
    content: [{ type: 'text' as const, text }],
    structuredContent: {
      pairs: pairs.map(({ from, to, freeMaxMB, costCredits }) => ({
        from,
        to,
        max_megabytes: freeMaxMB,
        cost_credits: costCredits,
      })),
      ...(options ? { options } : {}),
    },
  }
}

export const deletionAnswer = z.object({
  job_id: z.string(),
  cancelled: z.boolean().describe('Whether it was cancelled. If not, it had ended before.'),
})

export function deletionResult(job_id: string, status: string, error: string | null) {
  const cancelled = status === 'failed' && error?.startsWith('cancelled:') === true
  const text = cancelled
    ? `Job ${job_id} is cancelled, was not charged, and its files are deleted.`
    : `Job ${job_id} had ended before. Its files at the service are deleted.`
  return { content: [{ type: 'text' as const, text }], structuredContent: { job_id, cancelled } }
}

export const usageAnswer = z.object({
  free_conversions_left: z.number(),
  free_conversions_per_month: z.number(),
  credits: z.number(),
  jobs_this_month: z.number(),
  bytes_this_month: z.number(),
  month_started: z.string(),
})

export function usageResult({ freeTier, creditsBalance, currentWindow }: UsageSnapshot) {
  const answer = {
    free_conversions_left: freeTier.jobsRemaining,
    free_conversions_per_month: freeTier.jobsPerMonth,
    credits: creditsBalance,
    jobs_this_month: currentWindow.account.jobs,
    bytes_this_month: currentWindow.account.bytes,
    month_started: currentWindow.windowStart,
  }
  const text = `${freeTier.jobsRemaining} of ${freeTier.jobsPerMonth} free conversions are left this month, and ${creditsBalance} credits.`
  return { content: [{ type: 'text' as const, text }], structuredContent: answer }
}

export const refusal = (text: string) => ({
  content: [{ type: 'text' as const, text }],
  isError: true as const,
})

import { formatOfName, isTextFormat, type Kiln } from '@kiln/client'
import { z } from 'zod'
import type { ConversionAnswer } from './answers.ts'
import { heaviestPage, outlineOf, pagesOf, withoutPictures } from './text-pages.ts'

// The text of an output, a page at a time: the first one with an outline, the others when they are asked for by
// number.

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

type TextPart = Pick<ConversionAnswer, 'text' | 'page' | 'pages' | 'outline'>

/** Longer ones are for programs that read files. */
const longestText = 8 * 1024 * 1024

export interface ReadOutput {
  bytes: number | null
  /** The asked page, where the output is text. Without a page of that number there is none. */
  part: TextPart | null
}

export async function readOutput(
  kiln: Kiln,
  jobId: string,
  { max_characters = heaviestPage, page = 1 }: Reading,
  signal: AbortSignal,
): Promise<ReadOutput> {
  // Also says why there is nothing to fetch, in the words of the library.
  const { stream, bytes, contentType, fileName } = await kiln.download(jobId, { signal, timeout: 20_000 })
  const isText = isTextFormat(formatOfName(fileName ?? '') ?? '') || contentType?.startsWith('text/')
  if (!isText || bytes === null || bytes > longestText) {
    await stream.cancel()
    return { bytes, part: null }
  }
  const pages = pagesOf(withoutPictures(await new Response(stream).text()), max_characters)
  const text = pages[page - 1]
  if (pages.length === 1 && text !== undefined) return { bytes, part: { text } }
  return {
    bytes,
    part: {
      ...{ page, pages: pages.length },
      ...(text === undefined ? {} : { text }),
      ...(page === 1 ? { outline: outlineOf(pages) } : {}),
    },
  }
}

/** How to get the rest. */
export function nextPage(jobId: string, part: TextPart | null, reading: Reading): string | undefined {
  if (part?.pages === undefined || part.page === undefined) return undefined
  const call = (page: number) => {
    const most = reading.max_characters === undefined ? '' : `, max_characters: ${reading.max_characters}`
    return `check_conversion with job_id "${jobId}", page: ${page}${most}`
  }
  if (part.text === undefined)
    return `There is no page ${part.page}: the text has ${part.pages} pages. Call ${call(1)}.`
  if (part.page === part.pages) return undefined
  return `This is page ${part.page} of ${part.pages}. For the next call ${call(part.page + 1)}; any page can be asked for by its number.`
}

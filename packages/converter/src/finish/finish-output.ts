import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { markdownOptions } from '../catalog/options/every-engine.ts'
import { givesArchive } from '../catalog/options/index.ts'
import { officeOptions } from '../catalog/options/office.ts'
import { argumentsOf, type Options } from '../catalog/options/option.ts'
import type { FormatName, Pair } from '../catalog/pairs.ts'
import { checkFolderBeside } from '../checks/pdf-reader.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { InThread } from '../threads/in-thread.ts'
import type { finishMarkdown } from './finish-markdown.ts'
import { renderPages } from './render-pages.ts'

// Post-processes the output of an engine after its check, before it is delivered: pages are rendered as pictures,
// Markdown is divided into chunks, and several files become a ZIP archive.

const markdownModule = import.meta.resolve('./finish-markdown.ts')

export interface FinishContext {
  pair: Pair
  options: Options
  sandbox: Sandbox
  inThread: InThread
  signal: AbortSignal
}

export interface OutputFile {
  path: string
  size: number
}

/** The format that the engine produces: pictures of pages are rendered from a PDF. */
export const madeFormat = ({ to }: Pair): FormatName => (to === 'png' ? 'pdf' : to)

export async function finishOutput(output: OutputFile, context: FinishContext): Promise<OutputFile> {
  const { pair, options, inThread } = context
  const isArchive = givesArchive(pair, options)
  if (pair.to === 'png') {
    const { dotsPerInch, exportOptions } = argumentsOf(officeOptions, pair, options)
    const pages = String(exportOptions?.PageRange ?? '1')
    return sized(await renderPages(output.path, { ...context, pages, dotsPerInch, isArchive }))
  }
  const { chunkSize } = argumentsOf(markdownOptions, pair, options)
  if (pair.to !== 'md' || (chunkSize === undefined && !isArchive)) return output
  const target = join(await checkFolderBeside(dirname(output.path)), 'finished')
  await inThread<typeof finishMarkdown>(markdownModule, 'finishMarkdown', {
    source: output.path,
    target,
    chunkSize,
    isArchive,
  })
  return sized(target)
}

const sized = async (path: string): Promise<OutputFile> => ({ path, size: (await stat(path)).size })

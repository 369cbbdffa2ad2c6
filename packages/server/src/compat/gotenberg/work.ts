import { type Caller, type ConversionInput, type Convert, type Converted, JobFailed } from '../convert.ts'
import type { Form } from '../form.ts'
import { type Entry, type Output, type OutputFile, outputOf, packFiles, resultsOf } from '../outputs.ts'
import type { Steps } from './steps.ts'

// One request to this API: its form and the jobs that it needs.

export interface Work {
  form: Form
  folder: string
  /** Name of the output, if the caller has set one. */
  outputName: string | undefined
  /** Generated if the caller has not set one. */
  baseName: string
  convert(input: ConversionInput): Promise<Converted>
}

export function openWork(
  parts: Omit<Work, 'convert' | 'baseName'> & { requestId: string },
  convert: Convert,
  caller: Caller,
): Work & { close(): Promise<void> } {
  const made: Converted[] = []
  return {
    ...parts,
    baseName: parts.outputName ?? parts.requestId,
    async convert(input) {
      const converted = await convert(input, caller)
      made.push(converted)
      return converted
    },
    async close() {
      await Promise.allSettled(made.map((each) => each.remove()))
    },
  }
}

/** A single PDF gets the name that the caller has set; several PDFs keep their own names. */
const named = (work: Work, files: readonly OutputFile[]): OutputFile[] =>
  files.map((file) =>
    files.length === 1 && work.outputName ? { ...file, name: `${work.outputName}.pdf` } : file,
  )

/** Applies steps to PDFs in one job. Without steps the PDFs are the output. */
export async function applySteps(
  work: Work,
  files: readonly (OutputFile | { name: string; path: string })[],
  { steps, entries }: { steps: Steps; entries: readonly Entry[] },
): Promise<Output> {
  if (Object.keys(steps).length === 0 && files.every((file) => 'open' in file))
    return { files: named(work, files as OutputFile[]) }
  const list = files.map(({ name }, index) => ({ path: `file-${index}.pdf`, name }))
  const path = await packFiles(work.folder, 'file-set.zip', [
    { name: 'steps.json', data: Buffer.from(JSON.stringify({ ...steps, files: list })) },
    ...files.map((file, index): Entry => {
      const name = `file-${index}.pdf`
      return 'path' in file ? { name, path: file.path } : { name, open: file.open }
    }),
    ...entries,
  ])
  const results = await resultsOf(await work.convert({ pair: 'file-set-to-file-results', path }))
  return 'files' in results && !steps.read ? { files: named(work, results.files) } : results
}

export async function convertTo(work: Work, input: ConversionInput, name: string): Promise<OutputFile> {
  return outputOf(await work.convert(input), name)
}

export const hasFailedWith = (error: unknown, ...words: readonly string[]): error is JobFailed =>
  error instanceof JobFailed && words.includes(error.word)

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formats } from '../../catalog/formats.ts'
import { interchangeOptions } from '../../catalog/options/interchange.ts'
import { argumentsOf } from '../../catalog/options/option.ts'
import type { Limits } from '../../sandbox/sandbox.ts'
import { askVersion } from '../ask-version.ts'
import type { Engine, EngineParts, EngineRun } from '../engine.ts'
import { ifPreloadWorks } from '../preloaded-program.ts'
import { type InterchangeTarget, isInterchangeTarget } from './formats.ts'
import { createPandoc, type Pandoc, runPandoc, toSelfContainedHtml } from './run-pandoc.ts'
import type { stampDates } from './stamp-dates.ts'

const stampModule = import.meta.resolve('./stamp-dates.ts')
const styleSheet = fileURLToPath(new URL('../document.css', import.meta.url))

const targetOptions: Readonly<Record<InterchangeTarget, readonly string[]>> = {
  txt: ['--wrap=none'],
  md: ['--wrap=preserve'],
  html: [],
  epub: ['--mathml'],
  latex: ['--wrap=preserve'],
  rst: ['--wrap=preserve'],
  docx: [],
  odt: [],
}

export interface PandocOptions {
  limits?: Limits
}

export function createPandocEngine(parts: EngineParts, { limits }: PandocOptions = {}): Engine {
  const pandoc = createPandoc(parts.sandbox, limits)
  return {
    name: 'pandoc',
    // A book of plain text takes ten seconds for a megabyte; an EPUB, packed to a twentieth of its size, fifty.
    budget: { seconds: 15, secondsPerMegabyte: 75 },

    convert: (run) => writeWithPandoc(run, pandoc),

    prewarmedPrograms: () => ifPreloadWorks(parts.sandbox, [pandoc.program]),

    async version() {
      const spec = { ...pandoc.program.plain, args: ['--version'] }
      const advice = 'pandoc does not start. Install the package pandoc.'
      return (await askVersion(parts, spec, /^pandoc[^\n]* \d+(\.\d+)*/, advice)).version
    },
  }
}

/** `docxName` is a document in the output directory that another program has converted from the input. */
export async function writeWithPandoc(run: EngineRun, pandoc: Pandoc, docxName?: string): Promise<string> {
  if (!isInterchangeTarget(run.to)) throw new Error(`pandoc does not write ${run.to}`)
  const outputName = `output.${formats[run.to].extension}`
  const { args = [], ...rest } = argumentsOf(interchangeOptions, run.pair, run.options)
  const job = { ...rest, outputName, pandoc, docxName }
  if (run.to === 'html') return toSelfContainedHtml(run, { ...job, styleSheet, options: args })
  await runPandoc(run, { ...job, target: run.to, options: [...targetOptions[run.to], ...args] })
  if (!formats[run.to].isText)
    await run.inThread<typeof stampDates>(stampModule, 'stampDates', join(run.outFolder, outputName))
  return outputName
}

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formats } from '../../catalog/formats.ts'
import type { Limits } from '../../sandbox/sandbox.ts'
import { askVersion } from '../ask-version.ts'
import type { Engine, EngineParts } from '../engine.ts'
import { ifHeld } from '../held-program.ts'
import { type InterchangeFormat, isInterchangeFormat } from './formats.ts'
import { createPandoc, runPandoc } from './run-pandoc.ts'
import { toSelfContainedHtml } from './self-contained-html.ts'
import type { stampDates } from './stamp-dates.ts'

const stampModule = import.meta.resolve('./stamp-dates.ts')
const styleSheet = fileURLToPath(new URL('document.css', import.meta.url))

const targetOptions: Readonly<Record<InterchangeFormat, readonly string[]>> = {
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

    async convert(run) {
      if (!isInterchangeFormat(run.to)) throw new Error(`pandoc does not write ${run.to}`)
      const outputName = `output.${formats[run.to].extension}`
      if (run.to === 'html') return toSelfContainedHtml(run, { styleSheet, outputName, pandoc })
      await runPandoc(run, { target: run.to, outputName, options: targetOptions[run.to], pandoc })
      if (!formats[run.to].isText)
        await run.inThread<typeof stampDates>(stampModule, 'stampDates', join(run.outFolder, outputName))
      return outputName
    },

    waiting: () => ifHeld(parts.sandbox, [pandoc.program]),

    async version() {
      const box = { ...pandoc.program.plain, args: ['--version'] }
      const advice = 'pandoc does not start. Install the package pandoc.'
      return (await askVersion(parts, box, /^pandoc[^\n]* \d+(\.\d+)*/, advice)).version
    },
  }
}

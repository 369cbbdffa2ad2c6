import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formats } from '../../catalog/formats.ts'
import type { Limits, Sandbox } from '../../sandbox/sandbox.ts'
import type { Engine } from '../engine.ts'
import { type InterchangeFormat, isInterchangeFormat, isTextFormat } from './formats.ts'
import { defaultLimits, runPandoc } from './run-pandoc.ts'
import { toSelfContainedHtml } from './self-contained-html.ts'
import { stampDates } from './stamp-dates.ts'

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

export const createPandocEngine = ({ limits = defaultLimits }: PandocOptions = {}): Engine => ({
  name: 'pandoc',

  async convert(run) {
    if (!isInterchangeFormat(run.to)) throw new Error(`pandoc does not write ${run.to}`)
    const outputName = `output.${formats[run.to].extension}`
    if (run.to === 'html') return toSelfContainedHtml(run, { styleSheet, outputName, limits })
    await runPandoc(run, { target: run.to, outputName, options: targetOptions[run.to], limits })
    if (!isTextFormat(run.to)) await stampDates(join(run.outFolder, outputName))
    return outputName
  },

  async version(sandbox: Sandbox) {
    const folder = await mkdtemp(join(tmpdir(), 'kiln-pandoc-version-'))
    try {
      const [inFolder, outFolder] = [join(folder, 'in'), join(folder, 'out')]
      for (const made of [inFolder, outFolder]) await mkdir(made)
      const program = '/usr/bin/pandoc'
      const result = await sandbox.run({ program, args: ['--version'], inFolder, outFolder, limits })
      const version = /^pandoc[^\n]* \d+(\.\d+)*/.exec(result.untrustedStdout)?.[0]
      if (!version) {
        throw new Error(
          `pandoc does not start (apt-get install pandoc): ${result.untrustedStderr.slice(0, 300)}`,
        )
      }
      return version
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
})

export const pandocEngine = createPandocEngine()

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formats } from '../../../src/catalog/formats.ts'
import type { Pair } from '../../../src/catalog/pairs.ts'
import type { EngineRun } from '../../../src/engines/engine.ts'
import { createPandocEngine, type PandocOptions } from '../../../src/engines/pandoc/engine.ts'
import type { InterchangeFormat } from '../../../src/engines/pandoc/formats.ts'
import { ConversionFailed } from '../../../src/failure.ts'
import { openSandbox } from '../../../src/sandbox/open-sandbox.ts'

// A desk: converts a text or package through the engine in the real sandbox.

export interface Desk {
  convert(
    input: string | Buffer,
    from: InterchangeFormat,
    to: InterchangeFormat,
    options?: PandocOptions,
  ): Promise<Buffer>
  /** `word: sentence` of the failure, or an error if it did not fail. */
  failure(
    input: string | Buffer,
    from: InterchangeFormat,
    to: InterchangeFormat,
    options?: PandocOptions,
  ): Promise<string>
  /** A run as the worker makes it, for what stands beside the engine. */
  run(input: string | Buffer, from: InterchangeFormat, to: InterchangeFormat): Promise<EngineRun>
  version(): Promise<string>
  close(): Promise<void>
}

export async function openDesk(): Promise<Desk> {
  const opened = await openSandbox({ allowUnsandboxed: false, log: { info: () => {}, warn: () => {} } })
  const folder = await mkdtemp(join(tmpdir(), 'kiln-desk-'))
  const jobs = await opened.scratchRoot(folder)

  const made: string[] = []
  const run: Desk['run'] = async (input, from, to) => {
    const job = await mkdtemp(join(jobs, 'job-'))
    made.push(job)
    const [inFolder, outFolder] = [join(job, 'in'), join(job, 'out')]
    await mkdir(inFolder)
    await mkdir(outFolder)
    const inputName = `input.${formats[from].extension}`
    await writeFile(join(inFolder, inputName), input)
    const signal = new AbortController().signal
    return {
      pair: pairOf(from, to),
      from,
      to,
      inFolder,
      inputName,
      outFolder,
      sandbox: opened.sandbox,
      signal,
      onProgress: () => {},
    }
  }
  const convert: Desk['convert'] = async (input, from, to, options) => {
    const started = await run(input, from, to)
    const name = await createPandocEngine(options).convert(started)
    return readFile(join(started.outFolder, name))
  }
  return {
    run,
    convert,
    async failure(...args) {
      try {
        await convert(...args)
      } catch (error) {
        if (error instanceof ConversionFailed) return `${error.word}: ${error.message}`
        throw error
      }
      throw new Error('It was converted.')
    },
    version: () => createPandocEngine().version(opened.sandbox),
    async close() {
      await opened.close()
      for (const job of [...made, folder]) await rm(job, { recursive: true, force: true })
    },
  }
}

const pairOf = (from: InterchangeFormat, to: InterchangeFormat): Pair => ({
  slug: `${from}-to-${to}`,
  from,
  to,
  label: `${from} to ${to}`,
  engine: 'pandoc',
  lane: 'document',
  maxBytes: 50 * 1024 * 1024,
  credits: 1,
})

/** A picture of one dot, of which every byte must arrive. */
export const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const dotUri = `data:image/png;base64,${dot.toString('base64')}`

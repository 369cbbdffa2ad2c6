import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pairOf as pairInCatalogue } from '@kiln/test-support/test-converter.ts'
import { afterAll, beforeAll } from 'vitest'
import type { FormatName, Pair } from '../../src/catalog/pairs.ts'
import { checkOutput, openReader, readSource } from '../../src/checks/index.ts'
import { ConversionFailed } from '../../src/failure.ts'
import { type OpenSandbox, openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { PrewarmedProcess } from '../../src/sandbox/prewarmed-process.ts'
import { createWorkerPool } from '../../src/threads/worker-pool.ts'

// The check depends on the target only, so the source format is arbitrary.
const pairOf = (from: FormatName, to: FormatName): Pair => ({ ...pairInCatalogue('docx', 'pdf'), from, to })

/** `good`, or the failure as a job's error reads. */
export type Verdict = (
  output: Buffer | string,
  to: FormatName,
  input?: { content: Buffer | string; from: FormatName },
) => Promise<string>

/** The checks in real sandboxes, opened for the tests of a file. */
export function useVerdict(): Verdict {
  const { signal } = new AbortController()
  let threads: ReturnType<typeof createWorkerPool>
  let opened: OpenSandbox
  let preferred: string
  let jobs: string
  beforeAll(async () => {
    threads = createWorkerPool()
    opened = await openSandbox({ allowUnsandboxed: false, log: { info: () => {}, warn: () => {} } })
    preferred = await mkdtemp(join(tmpdir(), 'kiln-checks-'))
    jobs = await opened.scratchRoot(preferred)
  })
  afterAll(async () => {
    await threads.close()
    await opened.close()
    for (const folder of [jobs, preferred]) await rm(folder, { recursive: true, force: true })
  })

  async function job(): Promise<{ inputPath: string; out: string }> {
    const folder = await mkdtemp(join(jobs, 'checked-'))
    await mkdir(join(folder, 'out'))
    return { inputPath: join(folder, 'input'), out: join(folder, 'out') }
  }

  return async (output, to, input = { content: 'words', from: 'docx' }) => {
    const { inputPath, out } = await job()
    await writeFile(inputPath, input.content)
    const path = join(out, 'output')
    await writeFile(path, output)
    const pair = pairOf(input.from, to)
    const prewarmed: PrewarmedProcess[] = []
    const reader = openReader(pair, {
      folder: out,
      sandbox: opened.sandbox,
      sharedSandbox: opened.sandbox,
      signal,
      async open(program, folders) {
        const process = await opened.sandbox.open(program, folders)
        prewarmed.push(process)
        return process
      },
    })
    try {
      const inThread = threads.forFile({ bytes: output.length, owner: 'test', signal })
      const { remarks = [] } = await checkOutput(path, pair, {
        sandbox: opened.sandbox,
        inThread,
        signal,
        isPart: false,
        declared: {},
        sourcePath: inputPath,
        source: readSource(inputPath, pair, inThread),
        reader,
      })
      return ['good', ...remarks].join(': ')
    } catch (error) {
      if (error instanceof ConversionFailed) return `${error.word}: ${error.message}`
      throw error
    } finally {
      // A sandbox must be complete before it can be ended.
      await reader?.catch(() => {})
      for (const process of prewarmed) await process.end()
    }
  }
}

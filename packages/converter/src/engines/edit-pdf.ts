import { fileURLToPath } from 'node:url'
import type { Limits, SandboxSpec } from '../sandbox/sandbox.ts'
import type { EngineRun } from './engine.ts'
import type { EngineSentences } from './judge-ending.ts'
import { failureOfOwnProgram } from './reported-failure.ts'

// Kiln's programs in Python that edit PDFs with pikepdf, in the sandbox (packages/converter/edit-pdf).

const folder = fileURLToPath(new URL('../../edit-pdf', import.meta.url))
const megabyte = 1024 * 1024

export const editLimits: Limits = {
  wallSeconds: 300,
  cpuSeconds: 300,
  processes: 8,
  logBytes: 64 * 1024,
  memoryBytes: 4096 * megabyte,
  fileBytes: 512 * megabyte,
  diskBytes: 512 * megabyte,
}

export interface PdfProgram {
  name: 'make_pdfa' | 'process_files'
  limits: Limits
  sentences: EngineSentences
  /** The sentence of a failure that reports none. */
  fallback: string
}

/** Returns what the program printed. */
export async function editPdf(
  run: EngineRun,
  { name, limits, sentences, fallback }: PdfProgram,
  args: readonly string[],
): Promise<string> {
  const { inFolder, outFolder, signal } = run
  const result = await run.sandbox.run({
    program: 'python3',
    // Nothing of the environment, no packages of a user, and no compiled files.
    args: ['-E', '-s', '-B', `/kiln/edit-pdf/${name}.py`, ...args],
    readOnly: [{ from: folder, to: '/kiln/edit-pdf' }],
    limits,
    inFolder,
    outFolder,
    signal,
  } satisfies SandboxSpec)
  const failure = failureOfOwnProgram(result, { engine: name, sentences, signal }, fallback)
  if (failure) throw failure
  return result.untrustedStdout
}

import { mkdtemp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { formats } from '../catalog/formats.ts'
import type { Pair } from '../catalog/pairs.ts'
import { openPreloaded, type PreloadedProgram, preloadedProgram } from '../engines/preloaded-program.ts'
import type { PrewarmedProcess, PrewarmedProgram } from '../sandbox/prewarmed-process.ts'
import type { Sandbox, SandboxSpec } from '../sandbox/sandbox.ts'

// pdftotext, which reads every PDF output. Its sandbox is built while the engine runs, and waits for the output
// (sandbox/prewarmed-process.ts). It has read access to the output directory, and none to the input.

const mebibyte = 1024 * 1024

export const readerLimits = {
  wallSeconds: 60,
  cpuSeconds: 30,
  memoryBytes: 1024 * mebibyte,
  processes: 32,
  fileBytes: mebibyte,
  diskBytes: 8 * mebibyte,
  logBytes: mebibyte,
}

export type PdfReader = Pick<PrewarmedProcess, 'give'>

type Folders = Pick<SandboxSpec, 'inFolder' | 'outFolder'>

export interface ReaderPlace {
  /** The directory of the output. */
  folder: string
  sandbox: Sandbox
  /** Its capabilities were tested once and hold for all conversions. */
  sharedSandbox: Sandbox
  signal: AbortSignal
  /** The owner closes the process. */
  open(program: PrewarmedProgram, folders: Folders): Promise<PrewarmedProcess>
}

const program: PreloadedProgram = preloadedProgram('pdftotext', { limits: readerLimits })

export function openReader({ to }: Pair, place: ReaderPlace): Promise<PdfReader> | undefined {
  if (formats[to].check !== 'pdf') return undefined
  const reader = openPdfReader(place)
  // Thrown by the call that gets a file.
  reader.catch(() => {})
  return reader
}

async function openPdfReader(place: ReaderPlace): Promise<PdfReader> {
  const { folder, sandbox, signal } = place
  const folders = { inFolder: folder, outFolder: await checkFolderBeside(folder) }
  const run = { ...folders, sandbox, signal, open: (held: PrewarmedProgram) => place.open(held, folders) }
  return openPreloaded(place.sharedSandbox, run, program)
}

export const checkFolderBeside = (folder: string) => mkdtemp(join(dirname(folder), 'check-'))

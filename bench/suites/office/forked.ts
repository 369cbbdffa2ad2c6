import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openSandbox } from '@kiln/converter'
import type { OfficeResult } from '../../../packages/converter/src/engines/libreoffice/cold-soffice.ts'
import {
  createColdRunner,
  type OfficeRunner,
} from '../../../packages/converter/src/engines/libreoffice/cold-soffice.ts'
import { planFor } from '../../../packages/converter/src/engines/libreoffice/plan.ts'
import { createWarmRunner } from '../../../packages/converter/src/engines/libreoffice/warm-runner.ts'
import type { Convert } from './competitors.ts'
import type { Kind } from './documents.ts'

// Kiln's own way, with everything that a job has: a folder of its own, the sandbox, the limits.

export interface Forked {
  convert: Convert
  run(kind: Kind, source: string, signal?: AbortSignal): Promise<{ result: OfficeResult; outFolder: string }>
  /** Kiln's own cold way, in the sandbox. */
  convertCold: Convert
  stop(): Promise<void>
}

export async function forkedOffice(preferred: string): Promise<Forked> {
  const opened = await openSandbox({ allowUnsandboxed: false, log: { info() {}, warn() {} } })
  const folder = await opened.scratchRoot(preferred)
  const office = createWarmRunner()
  const cold = createColdRunner()
  const reason = await office.prepare(opened.sandbox, folder)
  if (reason) throw new Error(`No fork server: ${reason}`)

  const runOn = async (runner: OfficeRunner, kind: Kind, source: string, signal?: AbortSignal) => {
    const job = await mkdtemp(join(folder, 'job-'))
    await chmod(job, 0o711)
    const [inFolder, outFolder] = [join(job, 'in'), join(job, 'out')]
    await mkdir(inFolder)
    await mkdir(outFolder)
    await copyFile(source, join(inFolder, `input.${kind}`))
    const result = await runner(planFor(kind), {
      sandbox: opened.sandbox,
      inFolder,
      outFolder,
      source: `/in/input.${kind}`,
      outputName: 'output.pdf',
      signal: signal ?? new AbortController().signal,
    })
    return { result, outFolder, job }
  }
  const convertOn =
    (runner: OfficeRunner): Convert =>
    async (kind, source, target) => {
      const { result, outFolder, job } = await runOn(runner, kind, source)
      if (!result.untrustedReport.startsWith('done'))
        throw new Error(`fork server: ${result.box.ending} ${result.untrustedReport}`)
      await copyFile(join(outFolder, 'output.pdf'), target)
      await rm(job, { recursive: true })
    }
  return {
    convert: convertOn(office.run),
    convertCold: convertOn(cold),
    run: (kind, source, signal) => runOn(office.run, kind, source, signal),
    async stop() {
      await office.close()
      await rm(folder, { recursive: true, force: true })
      await opened.close()
    },
  }
}

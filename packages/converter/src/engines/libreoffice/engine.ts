import { join } from 'node:path'
import { askVersion } from '../ask-version.ts'
import type { Engine, EngineParts } from '../engine.ts'
import { createColdRunner, type OfficeRunner } from './cold-soffice.ts'
import { officeFailure } from './failure.ts'
import { planFor } from './plan.ts'
import type { prepareSource } from './prepare-source.ts'
import { soffice, sofficeBox } from './soffice-box.ts'
import { createWarmRunner } from './warm-runner.ts'

// Office documents to PDF.

const outputName = 'output.pdf'
const sourceModule = import.meta.resolve('./prepare-source.ts')

/** With a runner of the caller's own, documents go to that one. */
export function createLibreOfficeEngine(parts: EngineParts, chosen?: OfficeRunner): Engine {
  const warm = chosen || !parts.warm ? undefined : createWarmRunner(parts)
  const runner = chosen ?? warm?.run ?? createColdRunner(parts)
  return {
    name: 'libreoffice',
    // A report of 340 pages with a hundred charts, three megabytes, takes 40 seconds.
    budget: { seconds: 30, secondsPerMegabyte: 20 },
    async convert(run) {
      const { sandbox, inFolder, outFolder, signal, onProgress } = run
      const { source, details } = await run.inThread<typeof prepareSource>(sourceModule, 'prepareSource', {
        from: run.from,
        inFolder,
        outFolder,
        inputName: run.inputName,
      })
      const plan = planFor(run.from, details)
      const { cpuSeconds } = run
      const job = { sandbox, inFolder, outFolder, source, outputName, signal, onProgress, cpuSeconds }
      const result = await runner(plan, job)
      const failure = await officeFailure(result, join(inFolder, run.inputName), signal)
      if (failure) throw failure
      return outputName
    },
    async prepare() {
      await warm?.prepare()
    },
    async version() {
      const box = { ...sofficeBox({ wallSeconds: 20 }), program: soffice, args: ['--version'] }
      const advice = 'LibreOffice does not start. Install the package libreoffice-writer.'
      const { version } = await askVersion(parts, box, /LibreOffice \d+(\.\d+)*/, advice)
      if (!warm) return version
      const reason = await warm.prepare()
      return reason === undefined ? `${version}, warm` : `${version}, cold: ${reason}`
    },
    close: async () => warm?.close(),
  }
}

import { join } from 'node:path'
import type { FormatName } from '../../catalog/pairs.ts'
import { detectOldVariant } from '../../catalog/sniff/old-variant.ts'
import { detectTextEncoding } from '../../catalog/sniff/text-encoding.ts'
import { toUtf8 } from '../../catalog/sniff/to-utf8.ts'
import { failed } from '../../failure.ts'
import { askVersion } from '../ask-version.ts'
import type { Engine, EngineParts, EngineRun } from '../engine.ts'
import { createColdRunner, type OfficeRunner } from './cold-soffice.ts'
import { detectCsvDialect } from './csv-dialect.ts'
import { officeFailure } from './failure.ts'
import { keepDates } from './keep-dates/keep-dates.ts'
import { type Details, planFor } from './plan.ts'
import { soffice, sofficeBox } from './soffice-box.ts'
import { createWarmRunner } from './warm-runner.ts'

// Office documents to PDF.

const outputName = 'output.pdf'

/** With a runner of the caller's own, documents go to that one. */
export function createLibreOfficeEngine(parts: EngineParts, chosen?: OfficeRunner): Engine {
  const warm = chosen || !parts.warm ? undefined : createWarmRunner(parts)
  const runner = chosen ?? warm?.run ?? createColdRunner(parts)
  return {
    name: 'libreoffice',
    async convert(run) {
      const { sandbox, inFolder, outFolder, signal, onProgress } = run
      const { source, hostPath } = await prepareSource(run)
      const plan = planFor(run.from, await detailsOf(run.from, hostPath))
      const job = { sandbox, inFolder, outFolder, source, outputName, signal, onProgress }
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

async function detailsOf(from: FormatName, hostPath: string): Promise<Details> {
  if (from === 'csv') return { csv: await detectCsvDialect(hostPath) }
  if (from === 'doc' || from === 'xls') return { variant: await detectOldVariant(hostPath) }
  return {}
}

interface Source {
  /** As the box sees it. */
  source: string
  hostPath: string
}

/** The input as it is, or a copy that says the same in a form that LibreOffice reads without guessing. */
async function prepareSource(run: EngineRun): Promise<Source> {
  const hostPath = join(run.inFolder, run.inputName)
  if (run.from === 'txt' || run.from === 'csv') {
    const found = await detectTextEncoding(hostPath)
    if (!found) throw failed.wrongFormat('The file is not text.')
    // A table is laid out anew, so its file must be writable.
    if (run.from === 'csv' || found.encoding !== 'utf-8' || found.byteOrderMark) {
      const name = `source.${run.from}`
      await toUtf8(hostPath, found.encoding, join(run.outFolder, name), 0o666)
      return { source: `/out/${name}`, hostPath: join(run.outFolder, name) }
    }
  }
  const name = `source.${run.from}`
  if (await keepDates(hostPath, run.from, join(run.outFolder, name))) {
    return { source: `/out/${name}`, hostPath: join(run.outFolder, name) }
  }
  return { source: `/in/${run.inputName}`, hostPath }
}

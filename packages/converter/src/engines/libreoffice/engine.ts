import { join } from 'node:path'
import type { FormatName } from '../../catalog/pairs.ts'
import { detectOldVariant } from '../../catalog/sniff/old-variant.ts'
import { detectTextEncoding } from '../../catalog/sniff/text-encoding.ts'
import { failed } from '../../failure.ts'
import type { Engine, EngineRun } from '../engine.ts'
import type { OfficeRunner } from './cold-soffice.ts'
import { detectCsvDialect } from './csv-dialect.ts'
import { officeFailure } from './failure.ts'
import { keepDates } from './keep-dates/keep-dates.ts'
import { type Details, planFor } from './plan.ts'
import { toUtf8 } from './to-utf8.ts'
import { libreOfficeVersion } from './version.ts'
import { createWarmRunner } from './warm-runner.ts'

// Office documents to PDF.

const outputName = 'output.pdf'

export function createLibreOfficeEngine(chosen?: OfficeRunner): Engine {
  const warm = createWarmRunner()
  const runner = chosen ?? warm.run
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
    async prepare(sandbox, scratch) {
      if (!chosen) await warm.prepare(sandbox, scratch)
    },
    async version(sandbox) {
      const version = await libreOfficeVersion(sandbox)
      if (chosen) return version
      const reason = await warm.prepare(sandbox)
      return reason === undefined ? `${version}, warm` : `${version}, cold: ${reason}`
    },
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
      await toUtf8(hostPath, found.encoding, join(run.outFolder, name))
      return { source: `/out/${name}`, hostPath: join(run.outFolder, name) }
    }
  }
  const name = `source.${run.from}`
  if (await keepDates(hostPath, run.from, join(run.outFolder, name))) {
    return { source: `/out/${name}`, hostPath: join(run.outFolder, name) }
  }
  return { source: `/in/${run.inputName}`, hostPath }
}

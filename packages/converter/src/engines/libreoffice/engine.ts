import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { formats } from '../../catalog/formats.ts'
import { internalOfficeOptions } from '../../catalog/options/internal.ts'
import { type OfficeArgument, officeOptions } from '../../catalog/options/office.ts'
import { argumentsOf } from '../../catalog/options/option.ts'
import { failed } from '../../failure.ts'
import { askVersion } from '../ask-version.ts'
import type { Engine, EngineParts, EngineRun } from '../engine.ts'
import { writeWithPandoc } from '../pandoc/engine.ts'
import { createPandoc } from '../pandoc/run-pandoc.ts'
import { createColdRunner, type OfficeRunner } from './cold-soffice.ts'
import { officeFailure } from './failure.ts'
import { type Details, isWrittenByPandoc, type Plan, planFor, textKind } from './plan.ts'
import type { prepareSource } from './prepare-source.ts'
import { soffice, sofficeSandbox } from './soffice-sandbox.ts'
import type { writeText } from './text-forms/write-text.ts'
import { createWarmRunner } from './warm-runner.ts'
import { wideSheets } from './wide-sheets.ts'

// Converts office documents to PDF, to other office formats, and to text.

const passwordName = 'password'
const wordName = 'written.docx'
const textModule = import.meta.resolve('./text-forms/write-text.ts')
const sourceModule = import.meta.resolve('./prepare-source.ts')

/** A PNG needs only one page. */
function planOf(run: EngineRun, byPandoc: boolean, details: Details, argument: OfficeArgument): Plan {
  const onlyPage = run.pair.to === 'png' ? { PageRange: '1' } : {}
  const exportOptions = { ...onlyPage, ...argument.exportOptions }
  return planFor(run.from, byPandoc ? 'docx' : run.to, details, { ...argument, exportOptions })
}

/** Documents go to the `chosen` runner if the caller passes one. */
export function createLibreOfficeEngine(parts: EngineParts, chosen?: OfficeRunner): Engine {
  const warm = chosen || !parts.warm ? undefined : createWarmRunner(parts)
  const runner = chosen ?? warm?.run ?? createColdRunner(parts)
  const pandoc = createPandoc(parts.sandbox)
  return {
    name: 'libreoffice',
    // A report of 340 pages with a hundred charts, three megabytes, takes 40 seconds.
    budget: { seconds: 30, secondsPerMegabyte: 20 },
    async convert(run) {
      const { sandbox, inFolder, outFolder, signal, onProgress } = run
      const outputName = `output.${formats[run.to].extension}`
      const argument = argumentsOf([...officeOptions, ...internalOfficeOptions], run.pair, run.options)
      const { source, details, isLocked } = await run.inThread<typeof prepareSource>(
        sourceModule,
        'prepareSource',
        {
          from: run.from,
          to: run.to,
          inFolder,
          outFolder,
          inputName: run.inputName,
          hasPassword: argument.password !== undefined,
        },
      )
      if (argument.passwordMustBeNeeded && argument.password !== undefined && !isLocked && !run.wasEncrypted)
        throw failed.unsupported('The document has no password. Remove the option `password`.')
      const kind = textKind(run.from, run.to)
      // Intermediate files have fixed names, which reveal nothing to the sandbox.
      const byPandoc = isWrittenByPandoc(run.from, run.to)
      const directName = byPandoc ? wordName : outputName
      const madeName = kind === undefined ? directName : kind === 'csv' ? basename(source) : 'flat.xml'
      if (kind !== 'csv') {
        // LibreOffice rejects a password that is not needed.
        const password = isLocked ? argument.password : undefined
        if (password !== undefined)
          await writeFile(join(inFolder, passwordName), password, { flag: 'wx', mode: 0o444 })
        const { cpuSeconds } = run
        const result = await runner(planOf(run, byPandoc, details, argument), {
          sandbox,
          inFolder,
          outFolder,
          source,
          outputName: madeName,
          signal,
          onProgress,
          cpuSeconds,
          passwordFile: password === undefined ? undefined : `/in/${passwordName}`,
        })
        const failure = await officeFailure(result, join(inFolder, run.inputName), signal, isLocked)
        if (failure) throw failure
        run.note({ remarks: wideSheets(result) })
      }
      if (byPandoc) {
        await writeWithPandoc(run, pandoc, wordName)
        // The recorded version is pandoc's.
        run.note({ version: '' })
      }
      if (kind !== undefined) {
        const target = join(outFolder, outputName)
        const { sheet, slides, pictures } = argument
        run.note(
          await run.inThread<typeof writeText>(textModule, 'writeText', {
            source: join(outFolder, madeName),
            kind,
            to: run.to,
            target,
            css: run.style.css ?? '',
            options: {
              ...(sheet === undefined ? {} : { sheet }),
              ...(slides ? { slides } : {}),
              ...(pictures ? { pictures } : {}),
            },
          }),
        )
      }
      return outputName
    },
    async prepare() {
      await warm?.prepare()
    },
    async restart() {
      await warm?.restart()
    },
    async version() {
      const sandbox = sofficeSandbox(parts.fonts(), { wallSeconds: 20 })
      const spec = { ...sandbox, program: soffice, args: ['--version'] }
      const advice = 'LibreOffice does not start. Install the package libreoffice-writer.'
      const { version } = await askVersion(parts, spec, /LibreOffice \d+(\.\d+)*/, advice)
      if (!warm) return version
      const reason = await warm.prepare()
      return reason === undefined ? `${version}, warm` : `${version}, cold: ${reason}`
    },
    close: async () => warm?.close(),
  }
}

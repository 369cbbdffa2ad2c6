import { join } from 'node:path'
import { readStart } from '../../read-start.ts'
import type { Sandbox, SandboxResult } from '../../sandbox/sandbox.ts'
import type { EngineParts } from '../engine.ts'
import { fontEnvironment } from '../fonts.ts'
import { fontRulesPath, writeFontRules } from './font-rules.ts'
import type { Plan } from './plan.ts'
import { createProfileSource, type ProfileSource } from './profile.ts'
import { soffice, sofficeSandbox } from './soffice-sandbox.ts'

// Runs one LibreOffice process per document, which exits with it.

export interface OfficeJob {
  sandbox: Sandbox
  inFolder: string
  outFolder: string
  /** Path in the sandbox: /in/… or /out/…. */
  source: string
  outputName: string
  /** Path in the sandbox. A file, because the environment of a process can be read from outside its sandbox. */
  passwordFile?: string | undefined
  signal: AbortSignal
  /** Replaces the default limit if it is lower. */
  cpuSeconds?: number
  /** From 0 to 1, never decreasing. A LibreOffice started for one document does not report it. */
  onProgress?: (fraction: number) => void
}

export interface OfficeResult {
  result: SandboxResult
  /** `done`, `done wide NUMBER`, or `failed STAGE …`; empty if LibreOffice exited without a report. */
  untrustedReport: string
}

/** Runs plans: with this cold LibreOffice, or with a warm one instead. */
export type OfficeRunner = (plan: Plan, job: OfficeJob) => Promise<OfficeResult>

export function createColdRunner(
  parts: EngineParts,
  options: { wallSeconds?: number; profile?: ProfileSource } = {},
): OfficeRunner {
  const profile = options.profile ?? createProfileSource(parts)
  return async (plan, job) => {
    const from = await profile()
    const fonts = parts.fonts()
    const spec = sofficeSandbox(fonts, options)
    const rules = plan.wordLines ? fonts.rulesOfWord : fonts.rules
    await writeFontRules(plan, job.outFolder, rules)
    const result = await job.sandbox.run({
      ...spec,
      inFolder: job.inFolder,
      outFolder: job.outFolder,
      args: ['-c', script, 'convert'],
      readOnly: [...spec.readOnly, { from, to: '/profile' }],
      environment: {
        ...planEnvironment(plan, job),
        ...fontEnvironment(fontRulesPath(plan, rules)),
      },
      signal: job.signal,
    })
    return { result, untrustedReport: await readReport(join(job.outFolder, reportName)) }
  }
}

export const reportName = 'report.txt'

const script = `cp -r /profile profile || exit 1
exec ${soffice} --headless --norestore --nologo --nodefault --nolockcheck \\
  "-env:UserInstallation=file://$PWD/profile" 'macro:///Standard.Convert.Run()'`

/** The plan as environment variables for our macro in LibreOffice. */
export function planEnvironment(
  plan: Plan,
  job: Pick<OfficeJob, 'source' | 'outputName' | 'passwordFile'>,
): Record<string, string> {
  return {
    KILN_SOURCE: job.source,
    KILN_TARGET: `/out/${job.outputName}`,
    KILN_REPORT: `/out/${reportName}`,
    KILN_IMPORT_FILTER: plan.importFilter,
    KILN_IMPORT_OPTIONS: plan.importOptions,
    KILN_EXPORT_FILTER: plan.exportFilter,
    KILN_EXPORT_OPTIONS: Object.entries(plan.exportOptions)
      // A leading quote marks a value as text even if it looks like a number.
      .map(([name, value]) => `${name}=${typeof value === 'string' ? `"${value}` : value}`)
      .join(';'),
    KILN_SHEETS: plan.sheets,
    KILN_DIGIT: plan.digit ? `${plan.digit.advance} ${plan.digit.size}` : '',
    KILN_TRACKED_CHANGES: plan.trackedChanges,
    KILN_COMPRESS_PUNCTUATION: plan.compressPunctuation ? 'yes' : '',
    KILN_PRINT_COMMENTS: plan.printComments ? 'yes' : '',
    KILN_LANDSCAPE: plan.landscape ? 'yes' : '',
    KILN_UPDATE_INDEXES: plan.updateIndexes ? 'yes' : '',
    KILN_PASSWORD_FILE: job.passwordFile ?? '',
    // LibreOffice renders without a display.
    SAL_USE_VCLPLUGIN: 'svp',
  }
}

/** Output of our macro in the sandbox, or of an attacker that has taken it over; empty if there is none. */
export const readReport = (path: string, length = 1024): Promise<string> =>
  readStart(path, length).then(
    (bytes) => bytes.toString('utf8'),
    () => '',
  )

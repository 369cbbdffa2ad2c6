import { type Kiln, type Report, reportLines } from '@kiln/client'
import type { ConversionAnswer } from './answers.ts'
import { fitting } from './text-pages.ts'

// The report of a conversion, in every answer about it. Warnings are separate, because an agent should pass them on.

const heaviestWarnings = 2500
const heaviestReport = 1500

type ReportParts = Pick<ConversionAnswer, 'warnings' | 'report'>

/** Empty where the report cannot be read: the output matters more. */
export async function readReport(kiln: Kiln, jobId: string, signal: AbortSignal): Promise<ReportParts> {
  return kiln.report(jobId, { signal, timeout: 5000 }).then(partsOf, () => ({}))
}

function partsOf(report: Report): ReportParts {
  const lines = reportLines({ ...report, warnings: [], more: { ...report.more, warnings: 0 } })
  const { warnings } = report
  return {
    ...(warnings.length > 0 ? { warnings: fitting(warnings, heaviestWarnings) } : {}),
    ...(lines.length > 0 ? { report: fitting(lines, heaviestReport) } : {}),
  }
}

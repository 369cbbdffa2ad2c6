import { type Kiln, type Report, reportLines } from '@kiln/client'
import type { ConversionAnswer } from './answers.ts'
import { fitting } from './text-pages.ts'

// What the service reports of a conversion, in every answer about it: warnings apart, because an agent should pass
// them on.

const heaviestWarnings = 2500
const heaviestReport = 1500

type Told = Pick<ConversionAnswer, 'warnings' | 'report'>

/** Nothing where the report cannot be had: the output counts. */
export async function toldReport(kiln: Kiln, jobId: string, signal: AbortSignal): Promise<Told> {
  return kiln.report(jobId, { signal, timeout: 5000 }).then(tell, () => ({}))
}

function tell(report: Report): Told {
  const lines = reportLines({ ...report, warnings: [], more: { ...report.more, warnings: 0 } })
  const { warnings } = report
  return {
    ...(warnings.length > 0 ? { warnings: fitting(warnings, heaviestWarnings) } : {}),
    ...(lines.length > 0 ? { report: fitting(lines, heaviestReport) } : {}),
  }
}

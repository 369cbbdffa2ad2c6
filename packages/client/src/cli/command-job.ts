import type { Kiln } from '../kiln.ts'
import { reportLines } from '../report-text.ts'
import type { JobState } from '../wait.ts'
import { type Parsed, UsageError } from './arguments.ts'
import { exitCodes } from './exit-codes.ts'
import { type Io, openDisplay, printJson, stdoutTarget } from './io.ts'
import { harmless, table } from './text.ts'

/** `kiln job ID`: shows the job, waits for it, deletes it, or resumes it and saves the output. */
export async function followJob(kiln: Kiln, parsed: Parsed, io: Io): Promise<number> {
  const [id, ...more] = parsed.positionals
  if (id === undefined || more.length > 0) throw new UsageError('Name one job. See: kiln job --help')
  const call = { signal: io.signal, timeout: parsed.timeout }
  const output = parsed.text('output')
  if (parsed.flag('delete')) {
    if (output !== undefined) throw new UsageError('--delete leaves nothing for --output.')
    await kiln.delete(id, call)
  }
  if (output === undefined) {
    const job = parsed.flag('wait') ? await kiln.wait(id, call) : await kiln.get(id, call)
    const report = parsed.flag('report') ? { report: await kiln.report(id, call) } : {}
    if (parsed.flag('json')) printJson(io, { ...job, ...report })
    else io.stdout.write(jobTable(job))
    if (report.report && !parsed.flag('json'))
      io.stdout.write(
        reportLines(report.report)
          .map((line) => `${harmless(line)}\n`)
          .join(''),
      )
    return job.status === 'failed' ? exitCodes.failed.code : exitCodes.ok.code
  }

  if (output === '-' && parsed.flag('json')) throw new UsageError('--json needs stdout for itself.')
  const began = Date.now()
  const display = openDisplay(parsed, io)
  const row = display.add(`job ${id}`)
  try {
    const saved = await kiln.resume(id, {
      ...call,
      output: output === '-' ? stdoutTarget(io) : output,
      overwrite: !parsed.flag('no-clobber'),
      onProgress: row.progress,
      report: parsed.flag('report'),
    })
    const { bytes, report } = saved
    row.done({
      output,
      bytes,
      milliseconds: Date.now() - began,
      report: report ? reportLines(report) : [],
    })
    if (parsed.flag('json'))
      printJson(io, { jobId: id, output, bytes, ...(parsed.flag('report') ? { report } : {}), error: null })
  } finally {
    display.end()
  }
  return exitCodes.ok.code
}

function jobTable(job: JobState): string {
  const rows = [
    ['Job', job.jobId],
    ['Status', job.progress === null ? job.status : `${job.status}, ${Math.floor(job.progress * 100)}%`],
    ['Error', job.error],
    ['Output until', job.downloadUrl === null ? null : job.expiresAt],
    ['Expired at', job.status === 'done' && job.downloadUrl === null ? job.expiresAt : null],
    ['Download', job.downloadUrl],
  ]
  return table(rows.flatMap(([name, value]) => (value ? [[name as string, harmless(value)]] : [])))
}

import type { Kiln } from '../kiln.ts'
import type { JobState } from '../wait.ts'
import { type Parsed, UsageError } from './arguments.ts'
import { exitCodes } from './exit-codes.ts'
import { type Io, openDisplay, printJson, stdoutTarget } from './io.ts'
import { harmless, table } from './text.ts'

/** `kiln job ID`: shows it, waits for it, or goes on with it to the output. */
export async function followJob(kiln: Kiln, parsed: Parsed, io: Io): Promise<number> {
  const [id, ...more] = parsed.positionals
  if (id === undefined || more.length > 0) throw new UsageError('Name one job. See: kiln job --help')
  const call = { signal: io.signal, timeout: parsed.timeout }
  const output = parsed.text('output')
  if (output === undefined) {
    const job = parsed.flag('wait') ? await kiln.wait(id, call) : await kiln.get(id, call)
    if (parsed.flag('json')) printJson(io, job)
    else io.stdout.write(jobTable(job))
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
    })
    row.done({ output, bytes: saved.bytes, milliseconds: Date.now() - began })
    if (parsed.flag('json')) printJson(io, { jobId: id, output, bytes: saved.bytes, error: null })
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

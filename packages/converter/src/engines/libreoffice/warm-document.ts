import { join } from 'node:path'
import { removeTree } from '../../remove-tree.ts'
import { cancelledBeforeStart, endingOf, signalName } from '../../sandbox/endings.ts'
import type { Ending } from '../../sandbox/sandbox.ts'
import { type OfficeJob, type OfficeResult, readReport, reportName } from './cold-soffice.ts'
import { writeFontRules } from './font-rules.ts'
import type { Plan } from './plan.ts'
import { bringSource, createDocumentFolder, takeResults } from './warm-folders.ts'
import { ChildUseless, type Finished, type WarmServer } from './warm-server.ts'

// Converts one document on a fork server: with the same plan, limits, report and outcomes as in a separate sandbox.

let lastNumber = 0

export async function convertWarm(
  server: WarmServer,
  workFolder: string,
  plan: Plan,
  job: OfficeJob,
): Promise<OfficeResult> {
  const started = performance.now()
  const { diskBytes, logBytes } = server.limits
  lastNumber += 1
  const folder = await createDocumentFolder(workFolder, String(lastNumber), server.process)
  try {
    await bringSource(job, folder)
    await writeFontRules(plan, folder.out, server.fontRulesFor(plan))
    if (job.signal.aborted) return { result: cancelledBeforeStart, untrustedReport: '' }
    const running = server.convert(plan, job, folder)
    const { cancel } = running
    let overDisk = false
    const stopWatching = server.process.watchDisk(folder.written, diskBytes, running.process, () => {
      overDisk = true
      cancel()
    })
    job.signal.addEventListener('abort', cancel, { once: true })
    let end: Finished
    try {
      end = await running.finished
    } finally {
      stopWatching()
      job.signal.removeEventListener('abort', cancel)
    }
    job.sandbox.charge?.(end.cpuSeconds)
    if (end.ending === 'stuck') throw new ChildUseless('The forked process took no processor time.')
    if (end.ending === 'unbuilt') {
      const said = await readReport(folder.log, logBytes)
      throw new ChildUseless(`The forked process could not lock itself in: ${said}`)
    }
    await takeResults(job, folder)
    const exitCode = end.ending === 'done' ? 0 : end.ending === 'exit' ? end.code : null
    const signal = exitCode === null ? (signalName(end.code) ?? null) : null
    const result = {
      ending: overDisk ? 'disk-limit' : (endedBy[end.ending] ?? endingOf(signal)),
      exitCode,
      signal,
      untrustedStdout: '',
      untrustedStderr: await readReport(folder.log, logBytes),
      milliseconds: performance.now() - started,
      cpuSeconds: end.cpuSeconds,
    }
    return { result, untrustedReport: await readReport(join(job.outFolder, reportName)) }
  } finally {
    await removeTree(folder.path)
  }
}

/** If it did not exit by itself. */
const endedBy: Partial<Record<Finished['ending'], Ending>> = {
  deadline: 'wall-limit',
  cancelled: 'cancelled',
}

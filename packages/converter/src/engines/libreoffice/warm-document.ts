import { constants as fileConstants } from 'node:fs'
import { open } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { removeTree } from '../../remove-tree.ts'
import type { BoxResult, Ending } from '../../sandbox/sandbox.ts'
import { type OfficeJob, type OfficeResult, readReport, reportName } from './cold-soffice.ts'
import type { Plan } from './plan.ts'
import { bringSource, createDocumentFolder, takeResults } from './warm-folders.ts'
import { ChildUseless, type Finished, type WarmServer } from './warm-server.ts'

// One document on a fork server: the same plan, limits, report and endings as in a box of its own.

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
  const folder = await createDocumentFolder(workFolder, String(lastNumber), server.box)
  try {
    await bringSource(job, folder)
    if (job.signal.aborted) return cancelledBeforeStart
    const running = server.convert(plan, job, folder)
    const { cancel } = running
    let overDisk = false
    const stopWatching = server.box.watchDisk(folder.written, diskBytes, running.process, () => {
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
    if (end.ending === 'stuck') throw new ChildUseless('The forked process took no processor time.')
    if (end.ending === 'unbuilt') {
      const said = await readStart(folder.log, logBytes)
      throw new ChildUseless(`The forked process could not lock itself in: ${said}`)
    }
    await takeResults(job, folder)
    const ending = overDisk ? 'disk-limit' : endingOf(end)
    const box: BoxResult = {
      ending,
      exitCode: end.ending === 'done' ? 0 : end.ending === 'exit' ? end.code : null,
      signal: ending === 'exited' ? null : signalName(end.code),
      untrustedStdout: '',
      untrustedStderr: await readStart(folder.log, logBytes),
      milliseconds: performance.now() - started,
    }
    return { box, untrustedReport: await readReport(join(job.outFolder, reportName)) }
  } finally {
    await removeTree(folder.path)
  }
}

function endingOf({ ending, code }: Finished): Ending {
  switch (ending) {
    case 'done':
    case 'exit':
      return 'exited'
    case 'deadline':
    case 'stuck':
    case 'unbuilt':
      return 'wall-limit'
    case 'cancelled':
      return 'cancelled'
    case 'signal':
      if (code === constants.signals.SIGXCPU) return 'cpu-limit'
      return code === constants.signals.SIGXFSZ ? 'disk-limit' : 'killed'
  }
}

const signalName = (code: number) =>
  Object.entries(constants.signals).find(([, number]) => number === code)?.[0] ?? null

const cancelledBeforeStart: OfficeResult = {
  box: {
    ending: 'cancelled',
    exitCode: null,
    signal: null,
    untrustedStdout: '',
    untrustedStderr: '',
    milliseconds: 0,
  },
  untrustedReport: '',
}

/** What the child printed. It could have put anything in the log's place: bounded, no links, no pipes. */
async function readStart(path: string, logBytes: number): Promise<string> {
  try {
    const handle = await open(
      path,
      fileConstants.O_RDONLY | fileConstants.O_NOFOLLOW | fileConstants.O_NONBLOCK,
    )
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(logBytes), 0, logBytes, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    return ''
  }
}

import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { removeTree } from '../../remove-tree.ts'
import type { Limits } from '../../sandbox/sandbox.ts'
import type { EngineParts } from '../engine.ts'
import type { Fonts } from '../fonts.ts'
import { createColdRunner, type OfficeRunner } from './cold-soffice.ts'
import { createProfileSource } from './profile.ts'
import { convertWarm } from './warm-document.ts'
import { createWorkFolder } from './warm-folders.ts'
import {
  ChildUseless,
  reasonAgainstWarm,
  ServerGone,
  startWarmServer,
  type WarmServer,
} from './warm-server.ts'
import { warmUpChildren } from './warm-up-children.ts'

// Warm where possible, cold where not. The states of the warm side:
//
//   none       nothing was asked yet. The first document starts a server and is itself converted cold.
//   starting   documents are converted cold.
//   serving    documents go to the server, several at once.
//   replacing  the server has served long enough, has grown, can build no child any more, or has other fonts
//              than those of now: a second one starts beside it, takes over when it is ready, and the old one ends after its last document.
//              No document waits.
//   failed     no server could be started. Said once; documents are converted cold, and after a while
//              another start is tried.
//
// A server that dies takes its documents with it. They are converted cold at once, each in a sandbox of its
// own, while the next server starts. So is a document whose process gets stuck, which a fork
// cannot rule out, or is never built.

export interface WarmRunner {
  run: OfficeRunner
  /** Starts a server if there is none and waits for it; returns undefined, or why documents are converted cold. */
  prepare(): Promise<string | undefined>
  /** Stops the server and starts another, even if the last start failed recently. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface WarmOptions {
  cold?: OfficeRunner
  /** Number of pre-warmed children. */
  spares?: number
  /** A server is replaced after this many documents or seconds, or at this multiple of its initial memory. */
  maxDocuments?: number
  maxSeconds?: number
  maxGrowth?: number
  /** Replace the default limits of a document. */
  limits?: Partial<Limits>
}

interface Serving {
  server: WarmServer
  fonts: Fonts
  /** Settles when the server has exited and its folder is removed. */
  gone: Promise<void>
  workFolder: string
  since: number
  firstMemory: number
  /** Documents whose files are copied in, converted or moved out: they need its folder. */
  documents: number
}

// Backoff after a failed start.
const retryFirstMilliseconds = 10_000
const retryLastMilliseconds = 10 * 60_000

export function createWarmRunner(parts: EngineParts, options: WarmOptions = {}): WarmRunner {
  const { sandbox, scratch, log } = parts
  const { spares = Math.min(4, availableParallelism()) } = options
  const { maxDocuments = 20_000, maxSeconds = 6 * 3600, maxGrowth = 1.5 } = options
  const profile = createProfileSource(parts)
  const cold = options.cold ?? createColdRunner(parts, { profile })
  let serving: Serving | undefined
  let starting: Promise<void> | undefined
  let failure: { reason: string; at: number; wait: number } | undefined
  let closed = false

  const start = async () => {
    const against = reasonAgainstWarm(sandbox)
    if (against) throw new Error(against)
    // Retried once, because the machine may have been busy.
    const filledIn = await profile().catch(profile)
    const fonts = parts.fonts()
    const workFolder = await createWorkFolder(scratch)
    const removeAtExit = () => rmSync(workFolder, { recursive: true, force: true })
    process.once('exit', removeAtExit)
    const forget = () => {
      process.removeListener('exit', removeAtExit)
      return removeTree(workFolder)
    }
    let server: WarmServer | undefined
    try {
      server = await startWarmServer({
        sandbox,
        workFolder,
        profile: filledIn,
        fonts,
        limits: options.limits,
      })
      await warmUpChildren(server, sandbox, workFolder)
      server.keepSpares(spares)
    } catch (error) {
      server?.process.kill()
      await server?.ended
      await forget()
      throw error
    }
    const next: Serving = {
      server,
      fonts,
      workFolder,
      since: performance.now(),
      firstMemory: server.memoryKilobytes(),
      documents: 0,
      gone: server.ended.then(async () => {
        if (serving === next) {
          serving = undefined
          void ensureStarted()
        }
        await forget()
      }),
    }
    if (closed) server.process.kill()
    const previous = serving
    serving = next
    failure = undefined
    if (previous) retireIfIdle(previous)
  }

  const retireIfIdle = (replaced: Serving) => {
    if (replaced.documents === 0) replaced.server.retire()
  }

  const ensureStarted = (): Promise<void> => {
    if (closed) return Promise.resolve()
    if (failure && performance.now() - failure.at < failure.wait) return Promise.resolve()
    starting ??= start()
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error)
        if (reason !== failure?.reason && !closed)
          log.warn(
            `Office documents are converted by a new LibreOffice each, which is slower. The fork server: ${reason}`,
          )
        const wait = Math.min(retryLastMilliseconds, failure ? failure.wait * 3 : retryFirstMilliseconds)
        failure = { reason, at: performance.now(), wait }
      })
      .finally(() => {
        starting = undefined
      })
    return starting
  }

  const isWorn = ({ server, fonts, since, firstMemory }: Serving) =>
    server.isBroken() ||
    fonts !== parts.fonts() ||
    server.documents() >= maxDocuments ||
    performance.now() - since >= maxSeconds * 1000 ||
    server.memoryKilobytes() > firstMemory * maxGrowth

  return {
    async run(plan, job) {
      // NSS, which decrypts OpenDocument, is open before the fork and refuses to work in a child.
      const decrypts = job.passwordFile !== undefined
      if (plan.needsOwnProcess || decrypts) return await cold(plan, job)
      const now = serving
      if (!now || isWorn(now)) void ensureStarted()
      if (!now) return await cold(plan, job)
      now.documents += 1
      try {
        return await convertWarm(now.server, now.workFolder, plan, job)
      } catch (error) {
        // The folder is removed with the server, even while a document is being copied in.
        const isGone = error instanceof ServerGone || now.server.hasEnded()
        if (!isGone && !(error instanceof ChildUseless)) throw error
        return await cold(plan, job)
      } finally {
        now.documents -= 1
        if (now !== serving) retireIfIdle(now)
      }
    },
    async prepare() {
      if (!serving) await ensureStarted()
      return serving ? undefined : (failure?.reason ?? 'closed')
    },
    async restart() {
      failure = undefined
      const last = serving
      last?.server.process.kill()
      await last?.gone
      await ensureStarted()
    },
    async close() {
      closed = true
      await starting
      const last = serving
      last?.server.process.kill()
      await last?.gone
    },
  }
}

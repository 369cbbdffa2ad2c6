import type { Report, SubmitResult } from '@kiln/contract'
import type { Delete } from '../conversions/delete.ts'
import type { JobView, Read } from '../conversions/read.ts'
import type { Database } from '../db/connect.ts'
import {
  guestJobsAmong,
  maxCounted,
  readWaiting,
  recordGuestJob,
  returnGuestConversion,
  takeGuestConversion,
} from '../db/web-jobs.ts'
import { refused } from '../errors.ts'
import { isUuid } from '../uuid.ts'
import type { Visitor } from './visitor.ts'

// Conversions of the web app. A submit goes through the same checks, limits and charges as one of the API (`submit`);
// additional limits apply to guests.

export interface WebOrder {
  pair: string
  bytes: number
  options: Record<string, unknown> | undefined
  /** Chosen by the page; the same key refers to the same job. */
  key: string
}

export interface WebConversionsParts {
  database: Database
  read: Read
  deleteConversion: Delete
  publicUrl: string
  guestConversionsPerDay: number
  guestMaxBytes: number
}

/** Submits for an account with the limits of the API; throws when the submit is refused. */
export type SubmitAs = (
  keyHash: Buffer,
  order: Omit<WebOrder, 'key'> & { idempotencyKey: string },
) => Promise<{ isNew: boolean; result: SubmitResult }>

export interface WebJob {
  jobId: string
  status: JobView['job']['status']
  error: string | null
  progress: number | null
  downloadUrl: string | null
  /** Extension of the download's name. */
  extension: string
  expiresAt: string | null
  uploaded: boolean
  /** Jobs that run before this one; null when it is not waiting. */
  ahead: number | null
  /** There are more than `ahead`. */
  aheadIsCapped: boolean
}

const maxJobsAtOnce = 200

export function createWebConversions(parts: WebConversionsParts) {
  const { database, read, publicUrl } = parts
  const db = database.kysely

  // The service's own links are made relative, so that they work at the address that the page was loaded from.
  const localUrl = (url: string) => (url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : url)

  /** A guest sees the jobs of its own session only. */
  const ownJobs = async ({ user, sessionHash }: Visitor, ids: readonly string[]) => {
    if (user !== null) return ids
    const own = sessionHash ? await guestJobsAmong(db, sessionHash, ids) : new Set<string>()
    return ids.filter((id) => own.has(id))
  }
  const requireOwn = async (visitor: Visitor, id: string) => {
    if (!isUuid(id) || (await ownJobs(visitor, [id])).length === 0)
      throw refused('not-found', 'There is no such job.')
  }

  const submitAsGuest = async (submitAs: SubmitAs, visitor: Visitor, network: string, order: WebOrder) => {
    const { sessionHash, keyHash } = visitor
    if (!sessionHash) throw refused('forbidden', 'Guest access needs a session.')
    if (order.bytes > parts.guestMaxBytes) {
      const maxBytes = parts.guestMaxBytes
      const size = maxBytes < 1024 ** 2 ? `${maxBytes} bytes` : `${Math.floor(maxBytes / 1024 ** 2)} MB`
      throw refused('too-large', `Guests can convert files of up to ${size}. Sign in for larger ones.`)
    }
    if (!(await takeGuestConversion(db, network, parts.guestConversionsPerDay)))
      throw refused(
        'require-credits',
        `Guests can convert ${parts.guestConversionsPerDay} files a day. Sign in, or come back tomorrow.`,
      )
    try {
      // Guests share an account: a key is unique within its session only.
      const idempotencyKey = `guest-${sessionHash.toString('hex').slice(0, 16)}-${order.key}`
      const submitted = await submitAs(keyHash, { ...order, idempotencyKey })
      await recordGuestJob(db, submitted.result.jobId, sessionHash)
      if (!submitted.isNew) await returnGuestConversion(db, network)
      return submitted
    } catch (error) {
      await returnGuestConversion(db, network)
      throw error
    }
  }

  return {
    async submit(submitAs: SubmitAs, visitor: Visitor, network: string, order: WebOrder) {
      const submitted = visitor.user
        ? await submitAs(visitor.keyHash, { ...order, idempotencyKey: `web-${order.key}` })
        : await submitAsGuest(submitAs, visitor, network, order)
      const { jobId, uploadUrl } = submitted.result
      return { jobId, uploadUrl: localUrl(uploadUrl) }
    },

    /** The jobs that exist and are the visitor's; `names` become the names of the downloads. */
    async look(visitor: Visitor, names: ReadonlyMap<string, string>): Promise<WebJob[]> {
      const ids = (await ownJobs(visitor, [...names.keys()].filter(isUuid))).slice(0, maxJobsAtOnce)
      const views = await Promise.all(
        ids.map((id) => read.job(visitor.keyHash, id, names.get(id)).catch(withoutMissing)),
      )
      const found = views.filter((view) => view !== null)
      const queued = found.filter(({ job }) => job.status === 'queued').map(({ job }) => job.jobId)
      const waiting = new Map((await readWaiting(db, queued)).map((job) => [job.id, job]))
      return found.map(({ job, progress, extension }) => {
        const wait = waiting.get(job.jobId)
        return {
          ...job,
          extension,
          downloadUrl: job.downloadUrl && localUrl(job.downloadUrl),
          progress,
          uploaded: wait?.uploaded ?? true,
          ahead: wait?.uploaded ? wait.ahead : null,
          aheadIsCapped: wait?.ahead === maxCounted,
        }
      })
    },

    async report(visitor: Visitor, id: string): Promise<Report> {
      await requireOwn(visitor, id)
      const report = await read.report(visitor.keyHash, id)
      if (!report) throw refused('not-found', 'There is no such job.')
      return report
    },

    async remove(visitor: Visitor, id: string): Promise<void> {
      await requireOwn(visitor, id)
      await parts.deleteConversion(visitor.keyHash, id)
    },
  }
}

/** A job whose record has expired, or that belongs to another account, is not listed. */
function withoutMissing(error: unknown): null {
  const { code } = error as { code?: string }
  if (code === 'not-found' || code === 'forbidden') return null
  throw error
}

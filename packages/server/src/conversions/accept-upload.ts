import type { Readable } from 'node:stream'
import type { Database } from '../db/connect.ts'
import { beginUpload, lockIfQueued, type MarkedUpload, markUploaded } from '../db/jobs.ts'
import { refused } from '../errors.ts'
import type { Queue } from '../queue/queue.ts'
import { inputObject } from '../storage/object-names.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { atLeastPace, createTurns, minPace, type Pace } from './upload-limits.ts'

// Step 2: the upload. The bytes are streamed to a temporary file, which becomes the job's input only when it is
// complete and has the declared length. The job's row is locked during that step:
// - no worker has the job yet: this upload counts, also when it replaces an earlier one;
// - a worker has it, or it has ended: the upload is discarded, and the answer is 200.
// Uploads of one job are serialized; each has disk space reserved and a minimum rate (upload-limits.ts). The first
// upload that counts enqueues the job, in the same transaction.

export interface ReceivedBytes {
  bytes: number
  tag: string
  commit(): Promise<void>
  discard(): Promise<void>
}

export interface UploadParts {
  database: Database
  queue: Queue
  /** Reserves disk space for the bytes; throws when there is not enough. */
  reserve: (bytes: number) => Promise<{
    receive(object: string, body: Readable, signal: AbortSignal): Promise<ReceivedBytes>
    written(): number
    release(): void
  }>
  tracing: Tracing
  pace?: Pace
}

export interface Upload {
  jobId: string
  /** The length that the signed link allows. */
  declaredBytes: number
  contentLength: number
  /** Starts to receive the body; called only when it is wanted or must be discarded. */
  openBody: () => Readable
}

export type AcceptUpload = (upload: Upload) => Promise<{ tag: string }>

export function createAcceptUpload(parts: UploadParts): AcceptUpload {
  const { database, queue, reserve, tracing, pace = minPace } = parts
  const inTurn = createTurns()

  const receive = async (jobId: string, bytes: number, openBody: () => Readable) => {
    const room = await reserve(bytes)
    try {
      return await atLeastPace(pace, room.written, (signal) =>
        room.receive(inputObject(jobId), openBody(), signal),
      )
    } finally {
      room.release()
    }
  }

  const accept: AcceptUpload = async ({ jobId, declaredBytes, contentLength, openBody }) => {
    const start = new Date()
    if (contentLength !== declaredBytes) throw wrongLength(contentLength, declaredBytes)
    const jobBytes = await beginUpload(database, jobId)
    if (jobBytes === null) {
      openBody().resume()
      return { tag: 'ignored' }
    }
    // The job was charged for its own number of bytes; no other number is accepted, even with a valid link.
    if (contentLength !== jobBytes) throw wrongLength(contentLength, jobBytes)
    const received = await receive(jobId, declaredBytes, openBody)
    try {
      if (received.bytes !== declaredBytes) {
        throw refused(
          'size-mismatch',
          `Only ${received.bytes} of ${declaredBytes} bytes arrived. Upload the file again.`,
        )
      }
      const counted = await database.kysely
        .transaction()
        .execute(async (trx): Promise<MarkedUpload | null> => {
          const marked = await markUploaded(trx, jobId)
          if (!marked && !(await lockIfQueued(trx, jobId))) {
            await received.discard()
            return null
          }
          await received.commit()
          if (!marked) return null
          await queue.enqueue(trx, { jobId, ...marked })
          return marked
        })
      if (counted) queue.wake(counted.lane)
      const parent = counted?.traceParent
      if (parent)
        tracing.note('upload', {
          parent,
          start,
          end: new Date(),
          attributes: { 'kiln.bytes': declaredBytes },
        })
    } catch (error) {
      await received.discard()
      throw error
    }
    return { tag: received.tag }
  }
  return (upload) => inTurn(upload.jobId, () => accept(upload))
}

const wrongLength = (found: number, declared: number) =>
  refused(
    'size-mismatch',
    `The upload has ${found} bytes, but ${declared} were declared. Upload the declared file, or submit again with the right size.`,
  )

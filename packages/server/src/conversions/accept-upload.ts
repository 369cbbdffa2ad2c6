import type { Readable } from 'node:stream'
import type { Database } from '../db/connect.ts'
import { beginUpload, lockIfQueued, type MarkedUpload, markUploaded } from '../db/jobs.ts'
import { refused } from '../errors.ts'
import type { Queue } from '../queue/queue.ts'
import { inputObject } from '../storage/object-names.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { atLeastPace, createTurns, minPace, type Pace } from './upload-limits.ts'

// Step 2: the bytes arrive. They stream to a file of their own; only when they are all there, and
// as many as declared, do they become the job's input. The job's row is locked for that moment:
// - no worker has the job yet: this upload counts, also when it replaces an earlier one;
// - a worker has it, or it has ended: the upload is discarded, and the answer is 200.
// Uploads of one job come one after the other, each with room reserved for it and at a least pace (upload-limits.ts).
// The first upload that counts puts the job into the queue, in the same transaction.

export interface ReceivedBytes {
  bytes: number
  tag: string
  commit(): Promise<void>
  discard(): Promise<void>
}

export interface UploadParts {
  database: Database
  queue: Queue
  /** Keeps room for the bytes; refuses when there is none. */
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
  /** What the signed link allows. */
  declaredBytes: number
  contentLength: number
  /** Asks the client for the bytes; called only when they are wanted or must be read past. */
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
    // The job was charged for its own number. Whatever a link says, no other number of bytes is taken for it.
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

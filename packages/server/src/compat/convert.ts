import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { FailureWord } from '@kiln/contract'
import type { AcceptUpload } from '../conversions/accept-upload.ts'
import type { Delete } from '../conversions/delete.ts'
import type { NoticeUpload } from '../conversions/notice-upload.ts'
import type { FinishedJob, Read } from '../conversions/read.ts'
import type { Settlements } from '../conversions/wait-for-end.ts'
import { unavailable } from '../errors.ts'
import type { SubmitJob } from '../http/admission.ts'
import { unknownKey } from '../http/authenticate.ts'
import { inputObject } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'

// A conversion within one request: submit, upload, wait, read the output, delete. The job is an ordinary one: charged,
// queued, limited and recorded. It is cancelled when the caller disconnects.

export interface ConvertParts {
  submitJob: SubmitJob
  /** Null when files are stored in a bucket. */
  acceptUpload: AcceptUpload | null
  noticeUpload: NoticeUpload
  settlements: Settlements
  read: Read
  deleteConversion: Delete
  storage: Storage
}

export interface ConversionInput {
  pair: string
  path: string
  options?: Readonly<Record<string, unknown>>
}

export interface Caller {
  keyHash: Buffer
  /** The account or its parent. */
  owner: string
  requestId: string
  /** Aborted when the caller has disconnected. */
  signal: AbortSignal
}

export interface Converted {
  jobId: string
  bytes: number
  /** The output, or a range of its bytes; `first` and `last` are inclusive. */
  open(range?: { first: number; last: number }): Promise<Readable>
  /** Deletes the output; the record of the job stays. */
  remove(): Promise<void>
}

/** A job that ended as failed. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed'
  readonly word: FailureWord

  constructor(word: FailureWord, sentence: string) {
    super(sentence)
    this.word = word
  }
}

export type Convert = (input: ConversionInput, caller: Caller) => Promise<Converted>

export interface Jobs {
  convert: Convert
  /** Submits and uploads without waiting; returns the id of the job. */
  start(input: ConversionInput, caller: Caller): Promise<string>
  /** The output of a job of the caller; null while it waits or runs. Throws JobFailed. */
  look(jobId: string, caller: Caller): Promise<Converted | null>
}

/** A notification may be lost; polling then finds the end of the job. */
const lookAgainMilliseconds = 15_000

export function createJobs(parts: ConvertParts): Jobs {
  const { submitJob, acceptUpload, noticeUpload, settlements, read, deleteConversion, storage } = parts

  const upload = async (jobId: string, path: string, bytes: number) => {
    if (acceptUpload) {
      const openBody = () => createReadStream(path)
      await acceptUpload({ jobId, declaredBytes: bytes, contentLength: bytes, openBody })
    } else {
      await storage.store(path, inputObject(jobId))
      await noticeUpload({ jobId, bytes })
    }
  }

  const waitForEnd = async (jobId: string, { keyHash, signal }: Caller): Promise<FinishedJob> => {
    for (;;) {
      const watch = settlements.watch(jobId, lookAgainMilliseconds, signal)
      try {
        const job = await read.finished(keyHash, jobId)
        if (job === 'unknown-key') throw unknownKey()
        if (job) return job
        await watch.ended
      } finally {
        watch.cancel()
      }
      signal.throwIfAborted()
      if (settlements.isReleased()) throw unavailable('The service is stopping. Try again shortly.')
    }
  }

  const open = (object: string) => async (range?: { first: number; last: number }) => {
    const headers = range ? { range: `bytes=${range.first}-${range.last}` } : {}
    const { body } = await storage.download(object, { method: 'GET', headers })
    if (!body) throw unavailable('The output cannot be read just now. Try again shortly.')
    return body
  }

  const removal = (jobId: string, keyHash: Buffer) => async () =>
    void (await deleteConversion(keyHash, jobId))

  const outputOf = (
    jobId: string,
    { failure, object, bytes }: FinishedJob,
    { keyHash }: Caller,
  ): Converted => {
    if (failure) throw new JobFailed(failure.word, failure.sentence)
    return { jobId, bytes, open: open(object), remove: removal(jobId, keyHash) }
  }

  /** Runs a step of a job that has not ended; an error cancels the job. */
  const orCancel = async <Result>(
    jobId: string,
    keyHash: Buffer,
    step: () => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await step()
    } catch (error) {
      // The first error is the one to report; a job without an upload expires.
      await removal(jobId, keyHash)().catch(() => {})
      throw error
    }
  }

  const start: Jobs['start'] = async ({ pair, path, options }, { keyHash, requestId, signal }) => {
    const { size: bytes } = await stat(path)
    signal.throwIfAborted()
    const attributes = { 'kiln.pair': pair, 'kiln.bytes': bytes, 'kiln.request': requestId }
    const { result } = await submitJob({
      keyHash,
      pair,
      bytes,
      options,
      idempotencyKey: null,
      withInternal: true,
      span: { parent: null, attributes },
    })
    await orCancel(result.jobId, keyHash, () => upload(result.jobId, path, bytes))
    return result.jobId
  }

  return {
    start,
    async convert(input, caller) {
      const jobId = await start(input, caller)
      const finished = await orCancel(jobId, caller.keyHash, () => waitForEnd(jobId, caller))
      return outputOf(jobId, finished, caller)
    },
    async look(jobId, caller) {
      const job = await read.finished(caller.keyHash, jobId)
      if (job === 'unknown-key') throw unknownKey()
      return job && outputOf(jobId, job, caller)
    },
  }
}

import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AcceptUpload } from '../conversions/accept-upload.ts'
import type { NoticeUpload } from '../conversions/notice-upload.ts'
import type { Read } from '../conversions/read.ts'
import type { Submit } from '../conversions/submit.ts'
import type { Database } from '../db/connect.ts'
import { findJob } from '../db/find-job.ts'
import { findKeyAccount } from '../db/keys.ts'
import {
  findOperatorAccount,
  makeOperatorAccount,
  type OperatorAccount,
  replaceOperatorKey,
} from '../db/operator.ts'
import { refused } from '../errors.ts'
import { inputObject } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'

// The operator converts a file from the browser, through the server, by the session alone.
//
// It goes the way of every job, charge included, on an account of the operator's own. That account has a key
// that nobody knows: only its hash was ever made, so submit and poll can name the account as they always do,
// and no API key has to come near the browser. The upload comes through this server also where the storage is
// a bucket, which would need to be told of this page's origin first.

const keyHint = 'console (no key)'

export interface TryParts {
  database: Database
  submit: Submit
  read: Read
  storage: Storage
  /** Where the service keeps the files itself. */
  acceptUpload: AcceptUpload | null
  noticeUpload: NoticeUpload
  publicUrl: string
  scratchFolder: string
}

export interface TriedUpload {
  jobId: string
  contentLength: number
  body: Readable
}

export function createTryIt(parts: TryParts) {
  const db = parts.database.kysely

  const account = async (): Promise<OperatorAccount> => {
    let found = await findOperatorAccount(db)
    if (!found) found = await makeOperatorAccount(db, 'Operator console', randomBytes(32), keyHint)
    // The operator may have revoked the key among the others.
    else if (!(await findKeyAccount(parts.database, found.keyHash)))
      found = await replaceOperatorKey(db, randomBytes(32), keyHint)
    if (!found) throw refused('forbidden', 'No operator password is set yet.')
    return found
  }

  const throughTheServer = async ({ jobId, body, contentLength: bytes }: TriedUpload) => {
    const folder = await mkdtemp(join(parts.scratchFolder, 'kiln-try-'))
    try {
      const path = join(folder, 'input')
      const file = createWriteStream(path, { highWaterMark: 64 * 1024 })
      await pipeline(body, file)
      if (file.bytesWritten !== bytes) {
        throw refused('size-mismatch', `${file.bytesWritten} of ${bytes} bytes arrived. Try again.`)
      }
      await parts.storage.store(path, inputObject(jobId))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    await parts.noticeUpload({ jobId, bytes })
  }

  return {
    async submit(pair: string, bytes: number, options?: Record<string, unknown>) {
      const { accountId, keyHash } = await account()
      const answer = await parts.submit({
        keyHash,
        pair,
        bytes,
        options,
        idempotencyKey: null,
        refusal: null,
        traceParent: null,
      })
      if (answer.outcome === 'no-credits') {
        throw refused(
          'require-credits',
          `The operator's own account has used up its free conversions. Grant it credits: account ${accountId}.`,
        )
      }
      if (answer.outcome !== 'created') throw refused('forbidden', 'The key was revoked just now. Try again.')
      return { jobId: answer.result.jobId }
    },

    async upload(upload: TriedUpload) {
      // Only a job of the operator's own account can be uploaded to here.
      const job = await findJob(db, upload.jobId)
      if (job?.accountId !== (await account()).accountId) {
        throw refused('not-found', 'There is no such job of your own.')
      }
      if (upload.contentLength !== job.bytes) {
        throw refused(
          'size-mismatch',
          `The upload has ${upload.contentLength} bytes, but ${job.bytes} were declared.`,
        )
      }
      if (!parts.acceptUpload) return throughTheServer(upload)
      await parts.acceptUpload({
        jobId: upload.jobId,
        declaredBytes: job.bytes,
        contentLength: upload.contentLength,
        openBody: () => upload.body,
      })
    },

    async look(jobId: string) {
      const view = await parts.read.job((await account()).keyHash, jobId)
      if (!view) throw refused('forbidden', 'The key was revoked just now. Try again.')
      const { status, error, downloadUrl } = view.job
      // The service's own links work at whatever address this page was reached.
      const path = downloadUrl?.startsWith(`${parts.publicUrl}/`)
        ? downloadUrl.slice(parts.publicUrl.length)
        : downloadUrl
      return { status, error, progress: view.progress, downloadUrl: path }
    },
  }
}

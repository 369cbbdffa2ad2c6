import type { Database } from '../db/connect.ts'
import { findLeasedJob, hashLeaseToken } from '../db/find-job.ts'
import { refused } from '../errors.ts'
import { inputObject, outputObject } from '../storage/object-names.ts'
import type { Presign, Storage } from '../storage/storage.ts'
import { createSecretOptions } from './job-storage.ts'

// The API's side of granted-storage.ts. A worker sends the id of the job that it runs, its attempt and its lease token,
// and gets links to the objects of this attempt, valid for some minutes. Links are signed only while the lease is
// valid.

export interface GrantRequest {
  jobId: string
  attempt: number
  token: string
}

export interface GrantedFiles {
  input: { get: string; delete: string }
  output: { put: string; delete: string }
  /** The secret options; null when there are none, or when they can no longer be decrypted. */
  secrets: Readonly<Record<string, unknown>> | null
  /** How long the links are valid. */
  seconds: number
}

export type GrantFiles = (request: GrantRequest) => Promise<GrantedFiles>

export const grantPath = '/internal/job-files'
const linkSeconds = 600

export interface GrantFilesParts {
  database: Database
  presign: Presign
  keyFor: Storage['keyFor']
}

export function createGrantFiles({ database, presign, keyFor }: GrantFilesParts): GrantFiles {
  const secretOptions = createSecretOptions(keyFor)
  const openSecrets = (secrets: string | null) => {
    try {
      return secrets === null ? null : secretOptions.open({ options: null, secrets })
    } catch {
      // The key of the service has changed. The worker fails the job.
      return null
    }
  }
  return async ({ jobId, attempt, token }) => {
    const leased = await findLeasedJob(database, { jobId, attempt, tokenHash: hashLeaseToken(token) })
    if (!leased) throw refused('forbidden', 'This worker does not hold this job, or its lease has lapsed.')
    const input = inputObject(jobId)
    const output = outputObject(jobId, attempt)
    const [get, removeInput, put, removeOutput] = await Promise.all([
      presign('get', input, linkSeconds),
      presign('delete', input, linkSeconds),
      presign('put', output, linkSeconds),
      presign('delete', output, linkSeconds),
    ])
    return {
      input: { get, delete: removeInput },
      output: { put, delete: removeOutput },
      secrets: openSecrets(leased.secrets),
      seconds: linkSeconds,
    }
  }
}

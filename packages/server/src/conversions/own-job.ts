import type { AskedJob, PolledJob } from '../db/jobs-of-key.ts'
import { refused } from '../errors.ts'
import { isUuid } from '../uuid.ts'

const noJob = '00000000-0000-0000-0000-000000000000'

/** A job id that is not a UUID matches no job; the query still has to check the key. */
export const askedJob = (keyHash: Buffer, jobId: string): AskedJob => ({
  keyHash,
  jobId: isUuid(jobId) ? jobId : noJob,
})

/** The id of a job that belongs to the key's account. */
export function ownId(row: Pick<PolledJob, 'id' | 'accountId' | 'keyAccountId'>): string {
  if (row.id === null) throw refused('not-found', 'There is no job with this id.')
  if (row.accountId !== row.keyAccountId) throw refused('forbidden', 'This job belongs to another account.')
  return row.id
}

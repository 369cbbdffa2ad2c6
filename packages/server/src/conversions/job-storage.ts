import { ConversionFailed } from '@kiln/converter'
import type { StartedJob } from '../db/jobs.ts'
import type { Storage } from '../storage/storage.ts'
import { createSecretOptions } from './secret-options.ts'

// A worker's access to the storage: it fetches the input of a job that it holds, stores the output, and removes both. A
// worker in the API's process uses the storage directly; a separate worker process has no credentials and gets links
// from the API (granted-storage.ts).

export interface JobStorage extends Pick<Storage, 'fetch' | 'store' | 'remove'> {
  /** An attempt begins: its objects may be used until the returned function is called. */
  hold(job: StartedJob): () => void
  /** The options of a held job, including the secret ones. */
  optionsOf(job: StartedJob): Promise<Readonly<Record<string, unknown>> | null>
}

export function createDirectStorage({ fetch, store, remove, keyFor }: Storage): JobStorage {
  const secretOptions = createSecretOptions(keyFor)
  return {
    fetch,
    store,
    remove,
    hold: () => () => {},
    async optionsOf(job) {
      try {
        return secretOptions.open(job)
      } catch (error) {
        throw unreadableSecrets(error)
      }
    },
  }
}

export const unreadableSecrets = (cause?: unknown): ConversionFailed =>
  new ConversionFailed(
    'internal',
    'The password of this job can no longer be read: the key of the service has changed. Submit it again.',
    cause,
  )

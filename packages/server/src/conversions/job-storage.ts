import { ConversionFailed } from '@kiln/converter'
import type { StartedJob } from '../db/jobs.ts'
import type { Storage } from '../storage/storage.ts'
import { createSecretOptions } from './secret-options.ts'

// What a worker does with the storage: it fetches the input of a job that it holds, stores the output, and removes
// both. A worker in the process of the API uses the storage itself; one in a process of its own has no credentials and
// gets links from the API (granted-storage.ts).

export interface JobStorage extends Pick<Storage, 'fetch' | 'store' | 'remove'> {
  /** An attempt begins: its objects may be used until the returned function is called. */
  hold(job: StartedJob): () => void
  /** The options that a held job was submitted with, the secret ones among them. */
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
    'The password of this job cannot be read any more: the key of the service has changed. Submit it again.',
    cause,
  )

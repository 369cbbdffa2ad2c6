import { createHmac, type KeyObject } from 'node:crypto'
import { ConversionFailed } from '@kiln/converter'
import { type Options, secretNames } from '@kiln/converter/catalog'
import type { StartedJob } from '../db/jobs.ts'
import { openSealed, sealText } from '../sealed-text.ts'
import type { Storage } from '../storage/storage.ts'

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

// Secret options, such as a password. They are kept apart from the others, sealed (sealed-text.ts), and
// erased with the input. Among the others only their name stays, with the value null.
//
// A replay must equal the first submit in these as well, and the database compares them. So the same values in the same
// request give the same text: the nonce is a keyed hash of both. Another Idempotency-Key, or none, gives another text, so
// equal passwords cannot be recognized in the table.

export interface KeptOptions {
  options: Readonly<Record<string, unknown>> | null
  secrets: string | null
}

export function createSecretOptions(keyFor: (purpose: string) => KeyObject) {
  const keys = { text: keyFor('secret options'), nonce: keyFor('nonces of secret options') }

  const encrypt = (text: string, request: string): string => {
    const hash = createHmac('sha256', keys.nonce)
      .update(JSON.stringify([request, text]))
      .digest()
    return sealText(keys.text, text, hash)
  }

  return {
    /** `request` identifies the request; a replay has the same value. */
    seal(options: Options, request: string): KeptOptions {
      const names = Object.keys(options)
      if (names.length === 0) return { options: null, secrets: null }
      const secret = names.filter((name) => secretNames.has(name))
      if (secret.length === 0) return { options, secrets: null }
      const values = Object.fromEntries(secret.sort().map((name) => [name, options[name]]))
      return {
        options: { ...options, ...Object.fromEntries(secret.map((name) => [name, null])) },
        secrets: encrypt(JSON.stringify(values), request),
      }
    },
    /** Throws when the key differs from that of `seal`, or the text was changed. */
    open({ options, secrets }: KeptOptions): Readonly<Record<string, unknown>> | null {
      if (secrets === null) return options
      return { ...options, ...(JSON.parse(openSealed(keys.text, secrets)) as Record<string, unknown>) }
    },
  }
}

/** Did the job have secrets that have been erased? */
export const lacksSecrets = ({ options, secrets }: KeptOptions): boolean =>
  secrets === null && Object.values(options ?? {}).includes(null)

import { createHmac, type KeyObject } from 'node:crypto'
import { type Options, secretNames } from '@kiln/converter/catalog'
import { openSealed, sealText } from '../sealed-text.ts'

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

export interface SecretOptions {
  /** `request` identifies the request; a replay has the same value. */
  seal(options: Options, request: string): KeptOptions
  /** Throws when the key differs from that of `seal`, or the text was changed. */
  open(kept: KeptOptions): Readonly<Record<string, unknown>> | null
}

export function createSecretOptions(keyFor: (purpose: string) => KeyObject): SecretOptions {
  const keys = { text: keyFor('secret options'), nonce: keyFor('nonces of secret options') }

  const encrypt = (text: string, request: string): string => {
    const hash = createHmac('sha256', keys.nonce)
      .update(JSON.stringify([request, text]))
      .digest()
    return sealText(keys.text, text, hash)
  }

  return {
    seal(options, request) {
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
    open({ options, secrets }) {
      if (secrets === null) return options
      return { ...options, ...(JSON.parse(openSealed(keys.text, secrets)) as Record<string, unknown>) }
    },
  }
}

/** Did the job have secrets that have been erased? */
export const lacksSecrets = ({ options, secrets }: KeptOptions): boolean =>
  secrets === null && Object.values(options ?? {}).includes(null)

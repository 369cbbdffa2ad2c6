import { call, send } from '../shared/api.ts'

// Passkeys with the browser's own WebAuthn functions. Browsers that cannot read the options as JSON are too old.

interface WithJson {
  parseCreationOptionsFromJSON?(options: object): PublicKeyCredentialCreationOptions
  parseRequestOptionsFromJSON?(options: object): PublicKeyCredentialRequestOptions
}
const credentials = (): WithJson | undefined =>
  (globalThis as { PublicKeyCredential?: WithJson }).PublicKeyCredential

export const canUsePasskeys = (): boolean =>
  isSecureContext && credentials()?.parseRequestOptionsFromJSON !== undefined

export interface PasskeyRecord {
  id: string
  createdAt: string
  usedAt: string | null
}

export const listPasskeys = (): Promise<{ passkeys: PasskeyRecord[] }> => call('/passkeys')

/** For the user who is signed in. */
export async function addPasskey(): Promise<void> {
  const options = await send<object>('/passkeys/options')
  const publicKey = credentials()?.parseCreationOptionsFromJSON?.(options)
  if (!publicKey) throw new Error('This browser cannot create passkeys. Use a password.')
  const created = await navigator.credentials.create({ publicKey }).catch(cancelled)
  await send('/passkeys', { response: toJson(created) })
}

export async function signInWithPasskey(): Promise<void> {
  const options = await send<object>('/passkey/options')
  const publicKey = credentials()?.parseRequestOptionsFromJSON?.(options)
  if (!publicKey) throw new Error('This browser cannot use passkeys. Sign in with your password.')
  const found = await navigator.credentials.get({ publicKey }).catch(cancelled)
  await send('/passkey/sign-in', { response: toJson(found) })
}

const toJson = (credential: Credential | null): object =>
  (credential as unknown as { toJSON(): object }).toJSON()

/** The browser does not give the reason: the person cancelled, or there is no passkey. */
function cancelled(): never {
  throw new Error('No passkey was used. Try again, or use a password.')
}

import { call, send } from '../shared/api.ts'

// Passkeys by the WebAuthn API of the browser. Browsers that cannot read the options as JSON are too old.

export const canUsePasskeys = (): boolean =>
  isSecureContext &&
  'PublicKeyCredential' in globalThis &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential

export interface PasskeyRecord {
  id: string
  createdAt: string
  usedAt: string | null
}

export const listPasskeys = (): Promise<{ passkeys: PasskeyRecord[] }> => call('/passkeys')

/** For the user who is signed in. */
export async function addPasskey(): Promise<void> {
  const options = await send<PublicKeyCredentialCreationOptionsJSON>('/passkeys/options')
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const created = await navigator.credentials.create({ publicKey }).catch(cancelled)
  await send('/passkeys', { response: toJson(created) })
}

export async function signInWithPasskey(): Promise<void> {
  const options = await send<PublicKeyCredentialRequestOptionsJSON>('/passkey/options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const found = await navigator.credentials.get({ publicKey }).catch(cancelled)
  await send('/passkey/sign-in', { response: toJson(found) })
}

const toJson = (credential: Credential | null): object => (credential as PublicKeyCredential).toJSON()

/** The browser does not give the reason: the person cancelled, or there is no passkey. */
function cancelled(): never {
  throw new Error('No passkey was used. Try again, or use a password.')
}

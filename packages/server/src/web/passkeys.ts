import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { hashToken, newToken, type Session } from '../accounts/sign-in.ts'
import type { Database } from '../db/connect.ts'
import {
  deletePasskey,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  recordPasskeyUse,
  takeChallenge,
} from '../db/web-users.ts'
import { refused } from '../errors.ts'
import type { Log } from '../log/log.ts'
import type { Owner, WebSignIn } from './sign-in.ts'

// Passkeys (WebAuthn). A challenge is random, is accepted once and expires. The relying party is the host of the
// public address, so passkeys work at that address alone. User verification is required: a passkey replaces the
// password. The library is large and is loaded when the first passkey is used.

const challengeSeconds = 300

const loadLibrary = () => import('@simplewebauthn/server')

export interface PasskeysParts {
  database: Database
  signIn: WebSignIn
  publicUrl: string
  log: Log
}

export function createPasskeys({ database, signIn, publicUrl, log }: PasskeysParts) {
  const db = database.kysely
  const rpID = new URL(publicUrl).hostname

  const issueChallenge = async (): Promise<Uint8Array<ArrayBuffer>> => {
    const challenge = newToken()
    await insertChallenge(db, hashToken(challenge), challengeSeconds)
    return new Uint8Array(Buffer.from(challenge, 'base64url'))
  }
  const expected = {
    expectedChallenge: (challenge: string) => takeChallenge(db, hashToken(challenge)),
    expectedOrigin: publicUrl,
    expectedRPID: rpID,
    requireUserVerification: true,
  }

  return {
    list: (userId: string) => listPasskeys(db, userId),

    async remove(userId: string, id: string) {
      if (!(await deletePasskey(db, userId, id))) throw refused('not-found', 'There is no such passkey.')
    },

    async registrationOptions({ userId, userName }: Owner) {
      const { generateRegistrationOptions } = await loadLibrary()
      return generateRegistrationOptions({
        rpName: 'Kiln',
        rpID,
        userName,
        userID: new TextEncoder().encode(userId),
        challenge: await issueChallenge(),
        attestationType: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
    },

    async register({ userId }: Owner, response: RegistrationResponseJSON) {
      const { verifyRegistrationResponse } = await loadLibrary()
      const verified = await verifyRegistrationResponse({ response, ...expected }).catch(rejected(log))
      const credential = verified?.registrationInfo?.credential
      if (!verified?.verified || !credential)
        throw refused('bad-request', 'The passkey could not be verified. Try again.')
      await insertPasskey(db, {
        userId,
        credentialId: Buffer.from(credential.id, 'base64url'),
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
      })
    },

    async signInOptions() {
      const { generateAuthenticationOptions } = await loadLibrary()
      return generateAuthenticationOptions({
        rpID,
        challenge: await issueChallenge(),
        userVerification: 'required',
      })
    },

    async signIn(response: AuthenticationResponseJSON, network: string): Promise<Session> {
      await signIn.limitAttempts(network)
      const passkey = await findPasskey(db, Buffer.from(String(response.id ?? ''), 'base64url'))
      if (!passkey) throw unknownPasskey()
      const { verifyAuthenticationResponse } = await loadLibrary()
      const verified = await verifyAuthenticationResponse({
        response,
        ...expected,
        credential: {
          id: passkey.credentialId.toString('base64url'),
          publicKey: new Uint8Array(passkey.publicKey),
          counter: passkey.counter,
        },
      }).catch(rejected(log))
      if (!verified?.verified) throw unknownPasskey()
      await recordPasskeyUse(db, passkey.credentialId, verified.authenticationInfo.newCounter)
      await signIn.forgetAttempts(network)
      return signIn.openSession(passkey.accountId, passkey.userId)
    },
  }
}

/** The library throws for every response that is malformed or does not verify. */
const rejected = (log: Log) => (error: unknown) => {
  log.info({ err: error }, 'a passkey was rejected')
  return null
}

const unknownPasskey = () =>
  refused(
    'unauthenticated',
    'This passkey is not known here. Sign in with your password, or use another one.',
  )

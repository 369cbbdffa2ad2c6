import { hashToken, newToken } from '../accounts/sign-in.ts'
import { findAccount } from '../db/accounts.ts'
import type { Database } from '../db/connect.ts'
import { insertInvitation } from '../db/web-users.ts'
import { refused } from '../errors.ts'

// One-time links with which the operator invites people to the web app. The token is in the fragment (after `#`):
// browsers do not send it to the server, so it appears in no log.

/** Default validity of an invitation: 7 days. */
export const invitationSeconds = 7 * 86_400

export interface Invitation {
  link: string
  endsAt: Date
}

export async function createInvitation(
  { kysely: db }: Pick<Database, 'kysely'>,
  { publicUrl, accountId, seconds }: { publicUrl: string; accountId: string; seconds: number },
): Promise<Invitation> {
  if (!(await findAccount(db, accountId)))
    throw refused('not-found', `There is no account ${accountId}. See: account list`)
  const token = newToken()
  const endsAt = await insertInvitation(db, hashToken(token), accountId, seconds)
  return { link: `${publicUrl}/invitation#${token}`, endsAt }
}

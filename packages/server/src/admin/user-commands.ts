import type { Command } from 'commander'
import type { Accounts } from '../accounts/accounts.ts'
import type { Database } from '../db/connect.ts'
import { deleteUser, listUsers } from '../db/web-users.ts'
import { refused } from '../errors.ts'
import { createInvitation } from '../web/invitations.ts'
import { id } from './argument-kinds.ts'
import { parseDuration } from './duration.ts'
import type { Printer } from './output.ts'

export interface UserCommandsParts {
  withDatabase: (work: (database: Database, accounts: Accounts) => Promise<void>) => Promise<void>
  publicUrl: string
  printer: (json: boolean) => Printer
}

/** The commands for people who use the web app. */
export function addUserCommands(
  program: Command,
  { withDatabase, publicUrl, printer }: UserCommandsParts,
): void {
  const json = ['--json', 'print JSON'] as const
  const user = program.command('user').description('invite, list and remove users of the web app')
  user
    .command('invite')
    .description('create a link with which one person can join an account, once')
    .requiredOption('--account <id>', 'the account to join', id)
    .option('--valid <time>', 'how long the link works, like 15m, 24h or 7d', '7d')
    .option(...json)
    .action((options) =>
      withDatabase(async (database) => {
        const invitation = await createInvitation(database, {
          publicUrl,
          accountId: options.account,
          seconds: parseDuration(options.valid),
        })
        printer(options.json).one(
          { invitation },
          `${invitation.link}\nIt works once, until ${invitation.endsAt.toISOString()}.`,
        )
      }),
    )
  user
    .command('list')
    .option(...json)
    .action((options) =>
      withDatabase(async ({ kysely }) => printer(options.json).rows('users', await listUsers(kysely))),
    )
  user
    .command('remove')
    .description('delete a user with its sessions and passkeys; the account and its jobs stay')
    .argument('<userId>', 'the user', id)
    .option(...json)
    .action((userId, options) =>
      withDatabase(async ({ kysely }) => {
        if (!(await deleteUser(kysely, userId)))
          throw refused('not-found', `There is no user ${userId}. See: user list`)
        printer(options.json).one({}, 'The user is removed and signed out.')
      }),
    )
}

import { Command } from 'commander'
import type { Accounts } from '../accounts/accounts.ts'
import { makePassword } from '../accounts/password.ts'
import { setOperatorPassword } from '../console/operator.ts'
import type { Database } from '../db/connect.ts'
import { findJob } from '../db/find-job.ts'
import { deleteUser, listUsers } from '../db/web-users.ts'
import { refused } from '../errors.ts'
import type { HouseStyles } from '../house-styles/house-styles.ts'
import { createInvitation } from '../web/invitations.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import { addAccountCommands } from './account-commands.ts'
import { id, parseDuration } from './arguments.ts'
import type { Check } from './doctor.ts'
import { type Answering, answeringWith, formatTable, one, rows } from './output.ts'
import { addWebhookCommands } from './webhook-commands.ts'

// The operator's command line, as a list of commands. Each command opens its own database connection, so it works
// whether or not the service is running.

/** Opens something for the time of the work. */
type With<Opened> = <T>(work: (opened: Opened) => Promise<T>) => Promise<T>

export interface AdminParts {
  withDatabase: With<Database>
  withAccounts: With<Accounts>
  withWebhooks: With<Webhooks>
  withStyles: With<HouseStyles>
  /** Null where files are kept in the data directory. */
  createBucket: (() => Promise<{ created: boolean; corsOrigin: string | null }>) | null
  doctor: () => Promise<readonly Check[]>
  /** All of standard input. */
  readInput: () => Promise<Buffer>
  /** The first line of standard input. */
  readLine: () => Promise<string>
  publicUrl: string
  write: (text: string) => void
}

export function createAdminProgram(parts: AdminParts): Command {
  const program = new Command('admin')
    .description('Accounts, keys, credits and jobs of this Kiln.')
    .showHelpAfterError()
  const answer = answeringWith(parts.write)
  addAccountCommands(program, answer, parts)
  addUserCommands(program, answer, parts)
  addWebhookCommands(program, answer, parts)
  addServiceCommands(program, answer, parts)
  return program
}

/** The commands for people who use the web app. */
function addUserCommands(program: Command, answer: Answering, { withDatabase, publicUrl }: AdminParts): void {
  const user = program.command('user').description('invite, list and remove users of the web app')
  answer(
    user
      .command('invite')
      .description('create a link with which one person can join an account, once')
      .requiredOption('--account <id>', 'the account to join', id)
      .option('--valid <time>', 'how long the link works, like 15m, 24h or 7d', '7d'),
    ({ account: accountId, valid }) =>
      withDatabase(async (database) => {
        const seconds = parseDuration(valid)
        const invitation = await createInvitation(database, { publicUrl, accountId, seconds })
        const until = invitation.endsAt.toISOString()
        return one({ invitation }, `${invitation.link}\nIt works once, until ${until}.`)
      }),
  )
  answer(user.command('list'), () =>
    withDatabase(async ({ kysely }) => rows('users', await listUsers(kysely))),
  )
  answer(
    user
      .command('remove')
      .description('delete a user with its sessions and passkeys; the account and its jobs stay')
      .argument('<userId>', 'the user', id),
    (userId) =>
      withDatabase(async ({ kysely }) => {
        if (!(await deleteUser(kysely, userId)))
          throw refused('not-found', `There is no user ${userId}. See: user list`)
        return one({}, 'The user is removed and signed out.')
      }),
  )
}

/** The commands for the bucket, jobs, the operator's password and the health of the service. */
function addServiceCommands(program: Command, answer: Answering, parts: AdminParts): void {
  const { withDatabase, createBucket, readLine, doctor } = parts
  const bucket = program.command('storage').description('the S3 bucket').command('create-bucket')
  bucket.description(
    'create the bucket of KILN_S3_BUCKET if it is missing, and allow uploads from the web app (CORS)',
  )
  answer(bucket, async () => {
    if (!createBucket)
      throw refused('bad-request', 'KILN_S3_BUCKET is not set: files are kept in the data directory.')
    const done = await createBucket()
    const cors = done.corsOrigin
      ? `Pages of ${done.corsOrigin} may upload to it.`
      : 'The store has no CORS settings for buckets: allow PUT from the public address in the settings of the store.'
    return one(done, `${done.created ? 'The bucket is created.' : 'The bucket exists.'} ${cors}`)
  })

  const job = program.command('job').description('look at jobs')
  answer(job.command('show').argument('<jobId>', 'the job', id), (jobId) =>
    withDatabase(async (database) => {
      const found = await findJob(database.kysely, jobId)
      if (!found) throw refused('not-found', `There is no job ${jobId}. Records are kept for a limited time.`)
      const fields = Object.entries(found).map(([field, value]) => ({ field, value }))
      return { json: { job: found }, text: formatTable(fields) }
    }),
  )

  const operator = program.command('operator').description('who may use the console')
  answer(
    operator
      .command('set-password')
      .description('make a new password for the console, or take one from standard input; ends all sessions')
      .option('--stdin', 'read the password from standard input'),
    ({ stdin }) =>
      withDatabase(async (database) => {
        const password = stdin ? await readLine() : makePassword()
        await setOperatorPassword(database, password)
        return stdin
          ? one({}, 'The password is set.')
          : one({ password }, `The password of the console, shown once:\n${password}`)
      }),
  )

  const examination = program.command('doctor')
  examination.description('check that everything the service needs is there and works')
  answer(examination, async () => {
    const checks = await doctor()
    if (checks.some(({ ok }) => !ok)) process.exitCode = 1
    const shown = checks.map(({ ok, name, detail }) => ({ ok: ok ? 'ok' : 'FAULT', name, detail }))
    return { json: { checks }, text: formatTable(shown) }
  })
}

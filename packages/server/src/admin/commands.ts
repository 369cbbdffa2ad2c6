import { Command } from 'commander'
import { shownOnce } from '../accounts/accounts.ts'
import { makePassword } from '../accounts/password.ts'
import { setOperatorPassword } from '../console/operator.ts'
import { findJob } from '../db/find-job.ts'
import { refused } from '../errors.ts'
import { amount, id, text } from './argument-kinds.ts'
import type { Check } from './doctor.ts'
import { parseDuration } from './duration.ts'
import type { Printer } from './output.ts'
import { addStorageCommands, type StorageCommandsParts } from './storage-commands.ts'
import { addStyleCommands, type StyleCommandsParts } from './style-commands.ts'
import { addUserCommands, type UserCommandsParts } from './user-commands.ts'
import { addWebhookCommands, type WebhookCommandsParts } from './webhook-commands.ts'

// The operator's command line, as a list of commands. Each opens the database for its own call, so
// it works while the service runs and while it does not.

export interface AdminParts
  extends WebhookCommandsParts,
    StyleCommandsParts,
    UserCommandsParts,
    StorageCommandsParts {
  doctor: () => Promise<readonly Check[]>
  /** The first line of standard input. */
  readLine: () => Promise<string>
  printer: (json: boolean) => Printer
}

export function createAdminProgram(parts: AdminParts): Command {
  const { withDatabase, doctor, readLine, printer } = parts
  const program = new Command('admin')
    .description('Accounts, keys, credits and jobs of this Kiln.')
    .showHelpAfterError()
  const json = ['--json', 'print JSON'] as const

  const account = program
    .command('account')
    .description('make and list accounts, and give them a house style')
  account
    .command('create')
    .requiredOption('--name <name>', 'what to call it', text(200))
    .option(...json)
    .action((options) =>
      withDatabase(async (_database, accounts) => {
        const made = await accounts.create(options.name)
        printer(options.json).one(
          { account: made.account, key: shownOnce(made.key) },
          `Account ${made.account.id} "${made.account.name}"\nKey ${made.key.record.id}, shown once:\n${made.key.key}`,
        )
      }),
    )
  account
    .command('list')
    .option(...json)
    .action((options) =>
      withDatabase(async (_database, accounts) => {
        printer(options.json).rows('accounts', await accounts.list())
      }),
    )

  account
    .command('parent')
    .description('put an account under another one, whose shares and limits then apply to both together')
    .argument('<accountId>', 'the account', id)
    .option('--set <id>', 'its parent; without this option it gets none', id)
    .option(...json)
    .action((accountId, options) =>
      withDatabase(async (_database, accounts) => {
        const changed = await accounts.setParent(accountId, options.set ?? null)
        printer(options.json).one(
          { account: changed },
          `Account ${changed.id} has ${changed.parentId === null ? 'no parent' : `the parent ${changed.parentId}`}.`,
        )
      }),
    )

  addStyleCommands(account, parts)

  const key = program.command('key').description('make, list, rotate and revoke API keys')
  key
    .command('create')
    .requiredOption('--account <id>', 'owner', id)
    .option(...json)
    .action((options) =>
      withDatabase(async (_database, accounts) => {
        const made = await accounts.createKey(options.account)
        printer(options.json).one({ key: shownOnce(made) }, `Key ${made.record.id}, shown once:\n${made.key}`)
      }),
    )
  key
    .command('list')
    .option('--account <id>', 'only the keys of this account', id)
    .option(...json)
    .action((options) =>
      withDatabase(async (_database, accounts) => {
        printer(options.json).rows('keys', await accounts.listKeys(options.account))
      }),
    )
  key
    .command('rotate')
    .argument('<keyId>', 'the key to replace', id)
    .option('--overlap <time>', 'how long the old key goes on working, like 90s, 15m, 24h or 7d', '24h')
    .option(...json)
    .action((keyId, options) =>
      withDatabase(async (_database, accounts) => {
        const { old, key: made } = await accounts.rotateKey(keyId, parseDuration(options.overlap))
        printer(options.json).one(
          { key: shownOnce(made), old },
          `Key ${made.record.id}, shown once:\n${made.key}\nThe old key works until ${old.endsAt?.toISOString()}.`,
        )
      }),
    )
  key
    .command('revoke')
    .argument('<keyId>', 'the key to end now', id)
    .option(...json)
    .action((keyId, options) =>
      withDatabase(async (_database, accounts) => {
        const ended = await accounts.revokeKey(keyId)
        printer(options.json).one({ key: ended }, `Key ${ended.id} no longer works.`)
      }),
    )

  const credits = program.command('credits').description('grant credits and read the ledger')
  credits
    .command('grant')
    .requiredOption('--account <id>', 'who gets them', id)
    .requiredOption('--amount <n>', 'how many; a negative number takes them back', amount)
    .requiredOption('--reason <text>', 'for the ledger', text(500))
    .option(...json)
    .action((options) =>
      withDatabase(async (_database, accounts) => {
        const after = await accounts.grant(options.account, options.amount, options.reason)
        printer(options.json).one({ account: after }, `Account ${after.id} now has ${after.credits} credits.`)
      }),
    )
  credits
    .command('ledger')
    .requiredOption('--account <id>', 'whose', id)
    .option(...json)
    .action((options) =>
      withDatabase(async (_database, accounts) => {
        const { account: owner, entries } = await accounts.ledger(options.account)
        if (options.json) printer(true).one({ account: owner, entries }, '')
        else printer(false).rows('entries', entries)
      }),
    )

  addUserCommands(program, parts)
  addWebhookCommands(program, parts)
  addStorageCommands(program, parts)

  program
    .command('job')
    .description('look at jobs')
    .command('show')
    .argument('<jobId>', 'the job', id)
    .option(...json)
    .action((jobId, options) =>
      withDatabase(async (database) => {
        const job = await findJob(database.kysely, jobId)
        if (!job) throw refused('not-found', `There is no job ${jobId}. Records are kept for a limited time.`)
        if (options.json) printer(true).one({ job }, '')
        else
          printer(false).rows(
            'job',
            Object.entries(job).map(([field, value]) => ({ field, value })),
          )
      }),
    )

  program
    .command('operator')
    .description('who may use the console')
    .command('set-password')
    .description('make a new password for the console, or take one from standard input; ends all sessions')
    .option('--stdin', 'read the password from standard input')
    .option(...json)
    .action((options) =>
      withDatabase(async (database) => {
        const password = options.stdin ? await readLine() : makePassword()
        await setOperatorPassword(database, password)
        printer(options.json).one(
          options.stdin ? {} : { password },
          options.stdin ? 'The password is set.' : `The password of the console, shown once:\n${password}`,
        )
      }),
    )

  program
    .command('doctor')
    .description('check that everything the service needs is there and works')
    .option(...json)
    .action(async (options) => {
      const checks = await doctor()
      printer(options.json).rows(
        'checks',
        checks.map(({ ok, name, detail }) => ({ ok: options.json ? ok : ok ? 'ok' : 'FAULT', name, detail })),
      )
      if (checks.some(({ ok }) => !ok)) process.exitCode = 1
    })
  return program
}

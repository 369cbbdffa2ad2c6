import type { Command } from 'commander'
import { type Accounts, shownOnce } from '../accounts/accounts.ts'
import type { Database } from '../db/connect.ts'
import { amount, id, text } from './argument-kinds.ts'
import { parseDuration } from './duration.ts'
import type { Printer } from './output.ts'
import { addStyleCommands, type StyleCommandsParts } from './style-commands.ts'

export interface AccountCommandsParts extends StyleCommandsParts {
  withDatabase: (work: (database: Database, accounts: Accounts) => Promise<void>) => Promise<void>
  printer: (json: boolean) => Printer
}

const json = ['--json', 'print JSON'] as const

/** The commands for accounts, their house styles, their keys and their credits. */
export function addAccountCommands(program: Command, parts: AccountCommandsParts): void {
  const { withDatabase, printer } = parts
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
  addKeyCommands(program, parts)
  addCreditCommands(program, parts)
}

function addKeyCommands(program: Command, { withDatabase, printer }: AccountCommandsParts): void {
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
    .option('--overlap <time>', 'how long the old key still works, like 90s, 15m, 24h or 7d', '24h')
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
}

function addCreditCommands(program: Command, { withDatabase, printer }: AccountCommandsParts): void {
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
}

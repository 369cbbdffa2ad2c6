import type { Command } from 'commander'
import { shownOnce } from '../accounts/accounts.ts'
import { amount, id, parseDuration, text } from './arguments.ts'
import type { AdminParts } from './commands.ts'
import { type Answering, formatTable, one, rows } from './output.ts'
import { addStyleCommands } from './style-commands.ts'

/** The commands for accounts, their house styles, their keys and their credits. */
export function addAccountCommands(program: Command, answer: Answering, parts: AdminParts): void {
  const { withAccounts } = parts
  const account = program
    .command('account')
    .description('make and list accounts, and give them a house style')
  answer(
    account.command('create').requiredOption('--name <name>', 'what to call it', text(200)),
    ({ name }) =>
      withAccounts(async (accounts) => {
        const { account: made, key } = await accounts.create(name)
        return one(
          { account: made, key: shownOnce(key) },
          `Account ${made.id} "${made.name}"\nKey ${key.record.id}, shown once:\n${key.key}`,
        )
      }),
  )
  answer(account.command('list'), () =>
    withAccounts(async (accounts) => rows('accounts', await accounts.list())),
  )
  answer(
    account
      .command('parent')
      .description('put an account under another one, whose shares and limits then apply to both together')
      .argument('<accountId>', 'the account', id)
      .option('--set <id>', 'its parent; without this option it gets none', id),
    (accountId, { set }) =>
      withAccounts(async (accounts) => {
        const changed = await accounts.setParent(accountId, set ?? null)
        const parent = changed.parentId === null ? 'no parent' : `the parent ${changed.parentId}`
        return one({ account: changed }, `Account ${changed.id} has ${parent}.`)
      }),
  )
  addStyleCommands(account, answer, parts)
  addKeyCommands(program, answer, parts)
  addCreditCommands(program, answer, parts)
}

function addKeyCommands(program: Command, answer: Answering, { withAccounts }: AdminParts): void {
  const key = program.command('key').description('make, list, rotate and revoke API keys')
  answer(key.command('create').requiredOption('--account <id>', 'owner', id), ({ account }) =>
    withAccounts(async (accounts) => {
      const made = await accounts.createKey(account)
      return one({ key: shownOnce(made) }, `Key ${made.record.id}, shown once:\n${made.key}`)
    }),
  )
  answer(key.command('list').option('--account <id>', 'only the keys of this account', id), ({ account }) =>
    withAccounts(async (accounts) => rows('keys', await accounts.listKeys(account))),
  )
  answer(
    key
      .command('rotate')
      .argument('<keyId>', 'the key to replace', id)
      .option('--overlap <time>', 'how long the old key still works, like 90s, 15m, 24h or 7d', '24h'),
    (keyId, { overlap }) =>
      withAccounts(async (accounts) => {
        const { old, key: made } = await accounts.rotateKey(keyId, parseDuration(overlap))
        return one(
          { key: shownOnce(made), old },
          `Key ${made.record.id}, shown once:\n${made.key}\nThe old key works until ${old.endsAt?.toISOString()}.`,
        )
      }),
  )
  answer(key.command('revoke').argument('<keyId>', 'the key to end now', id), (keyId) =>
    withAccounts(async (accounts) => {
      const ended = await accounts.revokeKey(keyId)
      return one({ key: ended }, `Key ${ended.id} no longer works.`)
    }),
  )
}

function addCreditCommands(program: Command, answer: Answering, { withAccounts }: AdminParts): void {
  const credits = program.command('credits').description('grant credits and read the ledger')
  answer(
    credits
      .command('grant')
      .requiredOption('--account <id>', 'who gets them', id)
      .requiredOption('--amount <n>', 'how many; a negative number takes them back', amount)
      .requiredOption('--reason <text>', 'for the ledger', text(500)),
    (options) =>
      withAccounts(async (accounts) => {
        const after = await accounts.grant(options.account, options.amount, options.reason)
        return one({ account: after }, `Account ${after.id} now has ${after.credits} credits.`)
      }),
  )
  answer(credits.command('ledger').requiredOption('--account <id>', 'whose', id), ({ account }) =>
    withAccounts(async (accounts) => {
      const ledger = await accounts.ledger(account)
      return { json: ledger, text: formatTable(ledger.entries) }
    }),
  )
}

import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { createAccounts } from '../../src/accounts/accounts.ts'
import { type AccountLoadWatch, watchAccountLoad } from '../../src/conversions/account-load.ts'
import { markUploaded } from '../../src/db/jobs.ts'
import { useDatabase } from '../support/database.ts'

const context = useDatabase()
const accounts = () => createAccounts(context.database)
let watch: AccountLoadWatch | undefined
afterEach(() => watch?.stop())

const createAccount = async (parentId?: string) => {
  const { account } = await accounts().create('tenant')
  if (parentId) await accounts().setParent(account.id, parentId)
  return account.id
}
const addFailed = (accountId: string, word: string, seconds: number) =>
  sql`insert into jobs (account_id, pair, lane, bytes, upload_expires_at, status, outcome, failure_word,
        failure_sentence, finished_at, cpu_seconds)
      values (${accountId}, 'md-to-html', 'document', 1, now(), 'failed', 'failed', ${word}, '', now(), ${seconds})`.execute(
    context.database.kysely,
  )
/** The turn that an upload gets. */
const addWaiting = async (accountId: string, bytes = 1) => {
  const { rows } = await sql<{ id: string }>`
    insert into jobs (account_id, pair, lane, bytes, upload_expires_at)
    values (${accountId}, 'md-to-html', 'document', ${bytes}, now() + interval '1 hour') returning id`.execute(
    context.database.kysely,
  )
  const id = rows[0]?.id ?? ''
  const marked = await context.database.kysely.transaction().execute((trx) => markUploaded(trx, id))
  return marked?.turn
}
const refusalsOf = async (maxWaiting: number, ...accountIds: string[]) => {
  watch = await watchAccountLoad(context.database, maxWaiting)
  return accountIds.map((id) => watch?.refusalOf(id))
}

test('internal errors count too, past what is forgiven', async () => {
  const [forgiven, internal, failing] = [await createAccount(), await createAccount(), await createAccount()]
  await addFailed(forgiven, 'internal', 100)
  await addFailed(forgiven, 'too-complex', 550)
  await addFailed(internal, 'internal', 730)
  await addFailed(failing, 'timeout', 610)
  expect(await refusalsOf(1000, forgiven, internal, failing)).toEqual([
    null,
    'account-failing',
    'account-failing',
  ])
})

test('the accounts of a parent share its limits, and others do not', async () => {
  const parent = await createAccount()
  const [first, second, idle] = [
    await createAccount(parent),
    await createAccount(parent),
    await createAccount(parent),
  ]
  const other = await createAccount()
  await addFailed(first, 'timeout', 350)
  await addFailed(second, 'timeout', 350)
  await addFailed(other, 'timeout', 350)
  expect(await refusalsOf(1000, parent, first, idle, other)).toEqual([
    'account-failing',
    'account-failing',
    'account-failing',
    null,
  ])
})

test('a parent has no parent', async () => {
  const parent = await createAccount()
  const child = await createAccount(parent)
  await expect(accounts().setParent(await createAccount(), child)).rejects.toThrow('one level')
  await expect(accounts().setParent(parent, await createAccount())).rejects.toThrow('one level')
  await expect(accounts().setParent(parent, parent)).rejects.toThrow('one level')
  expect((await accounts().setParent(child, null)).parentId).toBeNull()
})

test('a large file takes more of an account’s share than a small one', async () => {
  const [large, small] = [await createAccount(), await createAccount()]
  const mebibyte = 1024 * 1024
  expect(await addWaiting(large, 10 * mebibyte)).toBe(0)
  expect(await addWaiting(large, 10 * mebibyte)).toBe(11)
  expect([await addWaiting(small), await addWaiting(small), await addWaiting(small)]).toEqual([0, 1, 2])
})

test('accounts with the same parent have one share together', async () => {
  const parent = await createAccount()
  const children = [await createAccount(parent), await createAccount(parent), await createAccount(parent)]
  const alone = await createAccount()
  const turns: (number | undefined)[] = []
  for (let round = 0; round < 3; round++) for (const child of children) turns.push(await addWaiting(child))
  const own = [await addWaiting(alone), await addWaiting(alone), await addWaiting(alone)]
  // By the time that the other account's third job has its turn, the three together have had about as many.
  const before = turns.filter((turn) => Number(turn) <= Number(own[2])).length
  expect(before).toBeLessThanOrEqual(3)
})

import { type AdminCommand, askAdmin } from '@kiln/test-support/admin-command.ts'
import {
  type CreatedAccount,
  changeByConsole,
  createAccountByConsole,
  signInAsOperator,
} from '@kiln/test-support/operator-session.ts'
import type { RunningService } from '@kiln/test-support/start-service.ts'
import { describe, inject } from 'vitest'
import type { Instance } from './instances.ts'
import { type Client, clientOf } from './service.ts'

const instances = inject('instances')

export const main: Instance = instances.main

export interface Account {
  id: string
  key: string
  keyId: string
  client: Client
}

type Operated = Pick<Instance, 'baseUrl' | 'admin' | 'operator'>

/** A service that a test started itself, the first time on its data folder. */
export const operated = async (service: RunningService): Promise<Operated> => ({
  baseUrl: service.baseUrl,
  admin: null,
  operator: await signInAsOperator(service),
})

/** A new account, with credits if asked for, on a service whose operator we are. */
export const createAccount = async (
  instance: Operated,
  { credits }: { credits?: number } = {},
): Promise<Account> => {
  const { account, key } = instance.operator
    ? await createAccountByConsole(instance.operator, 'Suite', credits)
    : await createByAdmin(instance.admin, credits)
  return { id: account.id, key: key.key, keyId: key.id, client: clientOf(instance.baseUrl, key.key) }
}

const createByAdmin = async (admin: AdminCommand | null, credits?: number): Promise<CreatedAccount> => {
  if (admin === null) throw new Error('An account can only be created with the admin command.')
  const made = await askAdmin<CreatedAccount>(admin, 'account', 'create', '--name', 'Suite')
  const grant = ['--account', made.account.id, '--amount', String(credits), '--reason', 'for the suite']
  if (credits !== undefined) await askAdmin(admin, 'credits', 'grant', ...grant)
  return made
}

/** One more key of the account. */
export const createKey = async ({ admin, operator }: Operated, { id }: Account) => {
  if (operator) return changeByConsole<{ id: string; key: string }>(operator, `/accounts/${id}/keys`)
  if (admin === null) throw new Error('A key can only be created with the admin command.')
  return (await askAdmin<CreatedAccount>(admin, 'key', 'create', '--account', id)).key
}

/** One of two accounts with credits that files share: for tests that count nothing. */
export const someClient = (number: 0 | 1 = 0): Client => clientOf(main.baseUrl, instances.keys[number])

/** An account with credits that no other test uses. */
export const ownClient = async (): Promise<Client> =>
  main.admin === null ? someClient() : (await createAccount(main, { credits: 5000 })).client

export const anonymous: Client = clientOf(main.baseUrl)

const describeWith = (present: boolean, needs: string) => (title: string, run: () => void) =>
  describe.runIf(present)(present ? title : `${title} (not here: needs ${needs})`, run)

/** For tests that count an account's meters or manage keys. */
export const describeWithOperator = describeWith(main.admin !== null, 'the admin command, KILN_E2E_ADMIN')

/** For tests that inspect the data folder, or start their own services. */
export const describeLocally = describeWith(main.dataDir !== null, 'a service of its own on this machine')

/** For tests that reach limits or wait for things to expire. */
export const describeHurried = (title: string, run: (hurried: Instance) => void): void => {
  const { hurried } = instances
  describeWith(hurried !== null, 'a service with short lifetimes and low limits')(title, () => {
    if (hurried !== null) run(hurried)
  })
}

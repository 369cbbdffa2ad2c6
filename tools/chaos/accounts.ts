import { askAdmin, localAdmin } from '@kiln/test-support/admin-command.ts'
import type { Receiver } from './receiver.ts'

export interface Account {
  id: string
  key: string
  /** Whether it has a webhook. */
  hasWebhook: boolean
}

const grantedCredits = 100_000

/** Made with the operator's command line, as any account is. */
export async function createAccounts(
  count: number,
  environment: Record<string, string>,
  receiver: Pick<Receiver, 'url' | 'knowSecret'>,
): Promise<Account[]> {
  const admin = <Said>(...args: string[]) => askAdmin<Said>(localAdmin(environment), ...args)
  const accounts: Account[] = []
  for (let number = 1; number <= count; number++) {
    const { account, key } = await admin<{ account: { id: string }; key: { key: string } }>(
      'account',
      'create',
      '--name',
      `Chaos ${number}`,
    )
    const grant = ['--account', account.id, '--amount', String(grantedCredits), '--reason', 'chaos']
    await admin('credits', 'grant', ...grant)
    // The first two accounts have none, like most accounts.
    const hasWebhook = number > 2
    if (hasWebhook) {
      const set = ['--account', account.id, '--url', receiver.url]
      receiver.knowSecret((await admin<{ secret: string }>('webhook', 'set', ...set)).secret)
    }
    accounts.push({ id: account.id, key: key.key, hasWebhook })
  }
  return accounts
}

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface Account {
  id: string
  key: string
}

const grantedCredits = 100_000

/** Made with the operator's command line, as any account is. */
export async function createAccounts(count: number, environment: Record<string, string>): Promise<Account[]> {
  const program = fileURLToPath(new URL('../packages/server/src/main-admin.ts', import.meta.url))
  const admin = async <Said>(...args: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args, '--json'], {
      env: environment,
    })
    return JSON.parse(stdout) as Said
  }
  const accounts: Account[] = []
  for (let number = 1; number <= count; number++) {
    const { account, key } = await admin<{ account: { id: string }; key: { key: string } }>(
      ...['account', 'create', '--name', `Chaos ${number}`],
    )
    const grant = ['--account', account.id, '--amount', String(grantedCredits), '--reason', 'chaos']
    await admin('credits', 'grant', ...grant)
    accounts.push({ id: account.id, key: key.key })
  }
  return accounts
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningService } from './start-service.ts'

// Accounts for the tests of a running service, made over the operator console's interface: a call there takes a
// hundredth of the CPU time of an admin command.

export interface OperatorSession {
  origin: string
  cookie: string
}

export interface CreatedAccount {
  account: { id: string; name: string }
  key: { id: string; key: string }
}

/** With the password that the service prints at its first start, soon after it is ready. */
export async function signInAsOperator({ origin, output }: RunningService): Promise<OperatorSession> {
  const find = () => /^ {2}([a-z2-9]{5}(?:-[a-z2-9]{5}){3})$/m.exec(output())?.[1]
  for (const deadline = Date.now() + 30_000; !find() && Date.now() < deadline; ) await sleep(20)
  const password = find()
  if (!password) throw new Error(`The service printed no password for the operator:\n${output()}`)
  const answer = await post({ origin, cookie: '' }, '/sign-in', { password })
  return { origin, cookie: String(answer.headers.get('set-cookie')).split(';', 1)[0] as string }
}

export async function createAccountByConsole(
  session: OperatorSession,
  name: string,
  credits = 0,
): Promise<CreatedAccount> {
  const made = (await (await post(session, '/accounts', { name })).json()) as CreatedAccount
  const grant = { amount: credits, reason: 'for the tests' }
  if (credits > 0) await post(session, `/accounts/${made.account.id}/grants`, grant)
  return made
}

/** A change, as the console's pages make it. */
export const changeByConsole = async <Said>(
  session: OperatorSession,
  path: string,
  body: object = {},
): Promise<Said> => (await post(session, path, body)).json() as Promise<Said>

async function post({ origin, cookie }: OperatorSession, path: string, body: object): Promise<Response> {
  const answer = await fetch(`${origin}/console/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, cookie },
    body: JSON.stringify(body),
  })
  if (!answer.ok)
    throw new Error(`The console answered ${path} with ${answer.status}: ${await answer.text()}`)
  return answer
}

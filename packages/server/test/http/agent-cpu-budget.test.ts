import { expect, test } from 'vitest'
import { createAccounts } from '../../src/accounts/accounts.ts'
import { beginCall, firstOf } from '../support/agent-call.ts'
import { createCustomer } from '../support/database.ts'
import { useService } from '../support/service.ts'

const service = useService({ agentCpuSecondsPerMinute: 1 })
const mega = 1024 * 1024

test('calls to the agent tools are refused unread when the account or its parent has used its CPU time', async () => {
  const [parent, child, sibling, other] = await Promise.all(
    ['parent', 'child', 'sibling', 'other'].map((name) => createCustomer(service.database, name)),
  )
  if (!parent || !child || !sibling || !other) throw new Error('There are four accounts.')
  const accounts = createAccounts(service.database)
  for (const { accountId } of [child, sibling]) await accounts.setParent(accountId, parent.accountId)
  const body = `["${'a'.repeat(11 * mega)}"]`
  const callOf = ({ key }: { key: string }) =>
    service.call('/mcp', { key, method: 'POST', headers: { 'content-type': 'application/json' }, body })
  // A call costs as much as is refilled within ten seconds, so two refusals in a row are a question of a few calls.
  const statuses: (number | string)[] = [(await callOf(child)).status]
  const beginSibling = async () => {
    const call = beginCall(service, sibling.key, 11 * mega)
    const status = await firstOf(call.status, 'held')
    if (status === 'held') await call.end()
    return status
  }
  let answer: Response
  do {
    answer = await callOf(child)
    statuses.push(answer.status, await beginSibling())
  } while (statuses.length < 20 && statuses.slice(-2).some((status) => status !== 429))
  expect(statuses[0]).toBe(400)
  expect(statuses.slice(-2)).toEqual([429, 429])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  const held = beginCall(service, other.key, 11 * mega)
  expect(await firstOf(held.status, 'held')).toBe('held')
  await held.end()
})

import { useState } from 'preact/hooks'
import { send } from '../../shared/api.ts'
import * as format from '../../shared/format.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Empty, Fault, Meter } from '../../shared/parts/card.tsx'
import { Dialog, NewKeyDialog } from '../../shared/parts/dialog.tsx'
import { Table } from '../../shared/parts/table.tsx'
import type { NewKey } from '../../shared/types.ts'
import { onSubmit, useAction } from '../../shared/use-action.ts'
import { useData } from '../../shared/use-data.ts'
import { go, Link, type Route } from '../router.tsx'
import type { Account, AccountPage } from '../types.ts'

export function AccountsPage({ route }: { route: Route }) {
  const search = route.query.get('search') ?? ''
  const offset = Number(route.query.get('offset') ?? 0)
  const { data, error } = useData<AccountPage>(
    `/accounts?search=${encodeURIComponent(search)}&offset=${offset}`,
    10_000,
  )
  const [isCreating, setCreating] = useState(false)
  const page = (at: number) => go(`/accounts?search=${encodeURIComponent(search)}&offset=${at}`)
  return (
    <>
      <header class="page-head">
        <h1>Accounts</h1>
        <div class="actions">
          <Button text="New account" onClick={() => setCreating(true)} />
        </div>
      </header>
      <search class="filters" aria-label="Accounts">
        <label>
          Search
          <input
            type="search"
            placeholder="Name or id"
            value={search}
            onInput={(event) =>
              go(`/accounts?search=${encodeURIComponent(event.currentTarget.value)}`, { replace: true })
            }
          />
        </label>
      </search>
      <Fault text={error} />
      {data && data.accounts.length === 0 ? (
        <Empty>{search ? 'No account has this name or id.' : 'No account yet.'}</Empty>
      ) : (
        <AccountsTable accounts={data?.accounts ?? []} free={data?.freeJobsPerMonth ?? 0} />
      )}
      {data && (offset > 0 || data.next !== null) ? (
        <p class="more">
          {offset > 0 ? (
            <Button kind="quiet" text="Previous" onClick={() => page(Math.max(0, offset - 100))} />
          ) : null}
          {data.next !== null ? (
            <Button kind="quiet" text="Next" onClick={() => page(data.next ?? 0)} />
          ) : null}
        </p>
      ) : null}
      {isCreating ? <NewAccount onClose={() => setCreating(false)} /> : null}
    </>
  )
}

function AccountsTable({ accounts, free }: { accounts: Account[]; free: number }) {
  return (
    <Table
      columns={['Account', '#Jobs this month', '#Bytes', 'Free conversions', '#Credits', '#Keys', '#Since']}
      card
    >
      {accounts.map((account) => (
        <tr key={account.id}>
          <th scope="row">
            <Link to={`/accounts/${account.id}`}>{account.name}</Link>{' '}
          </th>
          <td class="number">{format.count(account.jobs)}</td>
          <td class="number">{format.bytes(account.bytes)}</td>
          <td>
            <span class="with-meter">
              {account.freeUsed} of {free}
              <Meter
                part={account.freeUsed}
                all={free}
                label={`${account.freeUsed} of ${free} free conversions used`}
              />
            </span>
          </td>
          <td class="number">{format.count(account.credits)}</td>
          <td class="number">{account.keys}</td>
          <td class="number">{format.day(account.createdAt)}</td>
        </tr>
      ))}
    </Table>
  )
}

function NewAccount({ onClose }: { onClose: () => void }) {
  const { run, fault } = useAction()
  const [created, setCreated] = useState<{ account: Account; key: NewKey } | null>(null)
  const create = onSubmit((fields) =>
    run(async () => setCreated(await send('/accounts', Object.fromEntries(fields)))),
  )
  if (created)
    return <NewKeyDialog secret={created.key.key} onClose={() => go(`/accounts/${created.account.id}`)} />
  return (
    <Dialog title="New account" onClose={onClose}>
      <form onSubmit={create}>
        <label>
          Name
          <input name="name" required maxLength={200} autocomplete="off" />
        </label>
        <Fault text={fault} />
        <div class="dialog-actions">
          <Button kind="quiet" text="Back" onClick={onClose} />
          <Button text="Create account and key" type="submit" />
        </div>
      </form>
    </Dialog>
  )
}

import { failureWords } from '@kiln/contract'
import { useState } from 'preact/hooks'
import * as format from '../../shared/format.ts'
import { StatusBadge } from '../../shared/parts/badge.tsx'
import { Button } from '../../shared/parts/button.tsx'
import { PagedTable } from '../../shared/parts/table.tsx'
import { onSubmit } from '../../shared/use-action.ts'
import { usePages } from '../../shared/use-data.ts'
import { go, Link, type Route } from '../router.tsx'
import type { JobPage, JobRow, SessionInfo } from '../types.ts'

const statuses = [
  ['', 'Any state'],
  ['active', 'Not ended'],
  ['queued', 'Queued'],
  ['processing', 'Processing'],
  ['done', 'Done'],
  ['failed', 'Failed'],
] as const
const fields = ['status', 'pair', 'reason', 'account'] as const
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function JobsPage({ route, pairs }: { route: Route; pairs: SessionInfo['pairs'] }) {
  const query = new URLSearchParams()
  for (const field of fields) {
    const value = route.query.get(field)
    if (value) query.set(field, value)
  }
  const jobs = usePages({
    path: query.size > 0 ? `/jobs?${query}` : '/jobs',
    everyMilliseconds: 3000,
    itemsOf: (page: JobPage) => page.jobs,
    queryAfter: ({ finishedAt, id }) => `${new URLSearchParams({ before: finishedAt, beforeId: id })}`,
  })

  const set = (field: string, value: string) => {
    if (value) query.set(field, value)
    else query.delete(field)
    go(`/jobs?${query}`, { replace: true })
  }
  return (
    <>
      <header class="page-head">
        <h1>Jobs</h1>
      </header>
      <search class="filters" aria-label="Jobs">
        <Choice
          name="State"
          value={query.get('status')}
          options={statuses}
          onChange={(value) => set('status', value)}
        />
        <Choice
          name="Pair"
          value={query.get('pair')}
          options={[['', 'Any pair'], ...pairs.map(({ slug }) => [slug, slug] as const)]}
          onChange={(value) => set('pair', value)}
        />
        <Choice
          name="Reason"
          value={query.get('reason')}
          options={[['', 'Any reason'], ...failureWords.map((reason) => [reason, reason] as const)]}
          onChange={(value) => set('reason', value)}
        />
        <IdSearch account={query.get('account') ?? ''} onAccount={(value) => set('account', value)} />
      </search>
      <PagedTable
        columns={['Job', 'Pair', 'State', 'Account', '#Size', '#Took', '#When']}
        card
        class="jobs"
        pages={jobs}
        empty={
          query.size > 0 ? 'No job fits this filter.' : 'No job yet. Jobs appear here as they are submitted.'
        }
        older="Older jobs"
        row={(job) => <JobLine key={job.id} job={job} />}
      />
    </>
  )
}

interface ChoiceProps {
  name: string
  value: string | null
  options: readonly (readonly [value: string, name: string])[]
  onChange: (value: string) => void
}

function Choice({ name, value, options, onChange }: ChoiceProps) {
  return (
    <label>
      {name}
      <select value={value ?? ''} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

function IdSearch({ account, onAccount }: { account: string; onAccount: (id: string) => void }) {
  const [error, setError] = useState('')
  const find = onSubmit((fields) => {
    const id = String(fields.get('id')).trim().toLowerCase()
    if (!uuid.test(id)) return setError('Ids look like 01234567-89ab-cdef-0123-456789abcdef.')
    setError('')
    go(`/jobs/${id}`)
  })
  return (
    <>
      <form onSubmit={find}>
        <label>
          Job id
          <input name="id" placeholder="Find by id" autocomplete="off" spellcheck={false} />
        </label>
        {error ? (
          <p class="field-error" role="alert">
            {error}
          </p>
        ) : null}
      </form>
      {account ? (
        <Button
          kind="quiet"
          text={`Account ${format.shortId(account)} ✕`}
          hiddenText="remove this filter"
          onClick={() => onAccount('')}
        />
      ) : null}
    </>
  )
}

function JobLine({ job }: { job: JobRow }) {
  return (
    <tr>
      <td>
        <Link to={`/jobs/${job.id}`} class="mono">
          {format.shortId(job.id)}
        </Link>
      </td>
      <td>{job.pair}</td>
      <td>
        <StatusBadge job={job} />
        {job.status === 'failed' && job.failureWord !== 'cancelled' ? (
          <span class="muted small reason">{job.failureWord}</span>
        ) : null}
        {job.status === 'processing' && job.progress !== null ? (
          <span class="muted small reason">{Math.round(job.progress * 100)} %</span>
        ) : null}
      </td>
      <td>
        <Link to={`/accounts/${job.accountId}`}>{job.accountName ?? format.shortId(job.accountId)}</Link>
      </td>
      <td class="number">
        {format.bytes(job.bytes)}
        {job.outputBytes !== null ? <span class="muted"> → {format.bytes(job.outputBytes)}</span> : null}
      </td>
      <td class="number">{took(job)}</td>
      <td class="number" title={format.time(job.finishedAt ?? job.createdAt)}>
        {format.relative(job.finishedAt ?? job.createdAt)}
      </td>
    </tr>
  )
}

const took = (job: JobRow): string =>
  job.startedAt && job.finishedAt
    ? format.duration(Date.parse(job.finishedAt) - Date.parse(job.startedAt))
    : '–'

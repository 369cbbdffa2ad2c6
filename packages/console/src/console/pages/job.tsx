import { useState } from 'preact/hooks'
import { reportLines } from '../../../../client/src/report-text.ts'
import { send } from '../../shared/api.ts'
import * as format from '../../shared/format.ts'
import { StatusBadge } from '../../shared/parts/badge.tsx'
import { Button } from '../../shared/parts/button.tsx'
import { Card, Empty, Fact, Progress } from '../../shared/parts/card.tsx'
import { Confirm } from '../../shared/parts/dialog.tsx'
import { Table } from '../../shared/parts/table.tsx'
import { useData } from '../../shared/use-data.ts'
import { go, Link } from '../router.tsx'
import type { InspectedJob, JobDetails } from '../types.ts'

export function JobPage({ id }: { id: string }) {
  const { data, error, reload } = useData<InspectedJob>(`/jobs/${id}`, 2000)
  const [asked, ask] = useState<'cancel' | 'retry' | null>(null)
  if (!data) return <Empty>{error ?? 'Loading…'}</Empty>
  const { job, engine, canCancel, canRetry } = data

  return (
    <>
      <header class="page-head">
        <div>
          <p class="crumb">
            <Link to="/jobs">Jobs</Link>
          </p>
          <h1>{job.pair}</h1>
          <p class="mono muted small">{job.id}</p>
        </div>
        <StatusBadge job={job} />
        <div class="actions">
          {canCancel ? <Button kind="danger" text="Cancel the job" onClick={() => ask('cancel')} /> : null}
          {canRetry ? <Button text="Retry" onClick={() => ask('retry')} /> : null}
        </div>
      </header>

      {job.failureWord ? (
        <p class="notice bad">
          {job.failureWord}: {job.failureSentence}
        </p>
      ) : null}
      {job.status === 'failed' && !canRetry ? (
        <p class="notice">
          It cannot be retried: the input is deleted the moment a job ends. The account was not charged, and
          can submit the file again.
        </p>
      ) : null}
      {job.status === 'processing' ? (
        <Progress value={job.progress} label="Progress of the conversion" />
      ) : null}

      <div class="grid">
        <Card title="States">
          <Timeline job={job} />
        </Card>
        <Card title="Facts">
          <Facts job={job} engine={engine} />
        </Card>
        {job.report ? (
          <Card title="Report" class="wide">
            <ul class="report">
              {reportLines(job.report).map((line) => (
                <li key={line} class={line.startsWith('Warning: ') ? 'warning' : ''}>
                  {line}
                </li>
              ))}
            </ul>
          </Card>
        ) : null}
        <Card title="Attempts" class="wide">
          <Attempts job={job} />
        </Card>
      </div>

      {asked === 'cancel' ? (
        <Confirm
          title="Cancel this job?"
          text="Its engine is stopped, its input deleted, and its charge given back. The client reads that it failed."
          action="Cancel the job"
          onConfirm={() => send<object>(`/jobs/${id}/cancel`).then(reload)}
          onClose={() => ask(null)}
        />
      ) : null}
      {asked === 'retry' ? (
        <Confirm
          title="Retry this job?"
          text="The input is still there. It is converted as a new job of the same account, which costs nothing."
          action="Retry"
          onConfirm={async () => {
            const { jobId } = await send<{ jobId: string }>(`/jobs/${id}/retry`)
            go(`/jobs/${jobId}`)
          }}
          onClose={() => ask(null)}
        />
      ) : null}
    </>
  )
}

type Step = [name: string, at: string | null, since: string | null, note?: string]

function Timeline({ job }: { job: JobDetails }) {
  const deletion: Step = [
    job.hasOutput ? 'Output will be deleted' : 'Output deleted',
    job.expiresAt,
    job.finishedAt,
  ]
  const steps: Step[] = [
    ['Submitted', job.createdAt, null],
    [
      'Uploaded',
      job.uploadedAt,
      job.createdAt,
      job.status === 'queued' && !job.uploadedAt ? `awaited until ${format.time(job.uploadExpiresAt)}` : '',
    ],
    ['Started', job.startedAt, job.uploadedAt],
    [
      job.failureWord === 'cancelled' ? 'Cancelled' : job.status === 'failed' ? 'Failed' : 'Done',
      job.finishedAt,
      job.startedAt ?? job.createdAt,
    ],
    ...(job.status === 'done' ? [deletion] : []),
  ]
  return (
    <ol class="timeline">
      {steps.map(([name, at, since, note]) => (
        <li key={name} class={at ? 'reached' : ''}>
          <span>{name}</span>
          <span class="muted small">
            {at ? format.time(at) : note || 'not yet'}
            {at && since ? `, after ${format.duration(Date.parse(at) - Date.parse(since))}` : ''}
          </span>
        </li>
      ))}
    </ol>
  )
}

function Facts({ job, engine }: { job: JobDetails; engine: string | null }) {
  return (
    <dl class="facts">
      <Fact name="Account">
        <Link to={`/accounts/${job.accountId}`}>{job.accountName ?? job.accountId}</Link>
      </Fact>
      <Fact name="Engine">{engine ?? 'no longer offered'}</Fact>
      <Fact name="Lane">{job.lane}</Fact>
      <Fact name="Input">
        {format.bytes(job.bytes)} <span class="muted">{format.count(job.bytes)} bytes</span>
      </Fact>
      <Fact name="Output">
        {job.outputBytes === null ? (
          '–'
        ) : (
          <>
            {format.bytes(job.outputBytes)} <span class="muted">{format.count(job.outputBytes)} bytes</span>
          </>
        )}
      </Fact>
      <Fact name="Charge">{charge(job)}</Fact>
      {job.retryOf ? (
        <Fact name="Retry of">
          <Link to={`/jobs/${job.retryOf}`} class="mono">
            {format.shortId(job.retryOf)}
          </Link>
        </Fact>
      ) : null}
      {job.traceParent ? (
        <Fact name="Trace" tone="mono small">
          {job.traceParent.split('-')[1]}
        </Fact>
      ) : null}
    </dl>
  )
}

function charge(job: JobDetails): string {
  if (!job.charge) return 'none'
  const paid = job.charge.free > 0 ? 'a free conversion' : format.plural(job.charge.credits, 'credit')
  return job.refunded ? `${paid}, given back` : paid
}

function Attempts({ job }: { job: JobDetails }) {
  const attempts = job.attempt
  if (attempts === 0) return <Empty>No worker has taken it{job.finishedAt ? '' : ' yet'}.</Empty>
  const broken = job.failedAttempts
  const explained = broken.length
  const unexplained = Math.max(0, attempts - 1 - explained)
  return (
    <div class="attempts">
      <p>
        {format.plural(attempts, 'attempt')}
        {attempts > 1 ? '; earlier ones came to nothing through no fault of the file' : ''}.
        {unexplained > 0
          ? ` ${format.plural(unexplained, 'attempt')} ended with its worker, without a reason.`
          : ''}
      </p>
      {broken.length > 0 ? (
        <Table columns={['Attempt', 'Ended', 'Because']}>
          {broken.map(({ attempt, endedAt, reason }) => (
            <tr key={attempt}>
              <td>{attempt}</td>
              <td>{format.time(endedAt)}</td>
              <td>{reason}</td>
            </tr>
          ))}
        </Table>
      ) : null}
    </div>
  )
}

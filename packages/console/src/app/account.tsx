import { useEffect, useState } from 'preact/hooks'
import '../shared/styles/tables.css'
import '../shared/styles/badges.css'
import './styles/account.css'
import { send } from '../shared/api.ts'
import { KeysCard } from '../shared/cards/keys-card.tsx'
import { LedgerCard, UsageFigures } from '../shared/cards/ledger-card.tsx'
import { StyleCard } from '../shared/cards/style-card.tsx'
import { WebhookCard } from '../shared/cards/webhook-card.tsx'
import * as format from '../shared/format.ts'
import { StatusBadge } from '../shared/parts/badge.tsx'
import { Button } from '../shared/parts/button.tsx'
import { Card, Empty, Fault, Note } from '../shared/parts/card.tsx'
import { PagedTable } from '../shared/parts/table.tsx'
import type { AccountDetails, AccountJob, AccountJobs } from '../shared/types.ts'
import { onSubmit, useAction } from '../shared/use-action.ts'
import { useData, usePages } from '../shared/use-data.ts'
import { explainFailure } from './convert/advice.ts'
import { reportSentence } from './convert/report-sentence.ts'
import { addPasskey, canUsePasskeys, listPasskeys, type PasskeyRecord } from './passkeys.ts'

const accountPath = '/account'
const JobName = ({ id }: { id: string }) => <span class="mono small">{format.shortId(id)}</span>

export function AccountPage() {
  const { data, error, reload } = useData<AccountDetails>(accountPath, 10_000)
  if (!data) return <Empty>{error ?? 'Loading…'}</Empty>
  return (
    <div class="account page-width">
      <h1>{data.account.name}</h1>
      <UsageFigures {...data} />
      <div class="grid">
        <JobsCard />
        <KeysCard accountPath={accountPath} keys={data.keys} onChanged={reload} />
        <LedgerCard accountPath={accountPath} JobName={JobName} />
        <SignInCard />
        <WebhookCard accountPath={accountPath} JobName={JobName} />
        <StyleCard accountPath={accountPath} />
      </div>
    </div>
  )
}

function JobsCard() {
  const pages = usePages({
    path: `${accountPath}/jobs`,
    everyMilliseconds: 5000,
    itemsOf: (page: AccountJobs) => page.jobs,
  })
  return (
    <Card title="Jobs" class="wide">
      <PagedTable
        label="Jobs"
        columns={['When', 'Job', 'Conversion', '#Size', 'Status', 'Result']}
        limited
        pages={pages}
        empty="No jobs yet."
        older="Older jobs"
        row={(job) => (
          <tr key={job.id}>
            <td title={format.time(job.createdAt)}>{format.relative(job.createdAt)}</td>
            <td class="mono small">{format.shortId(job.id)}</td>
            <td>{job.pair.replace('-to-', ' to ')}</td>
            <td class="number">{format.bytes(job.bytes)}</td>
            <td>
              <StatusBadge job={job} />
            </td>
            <td class="result">{resultOf(job)}</td>
          </tr>
        )}
      />
    </Card>
  )
}

function resultOf(job: AccountJob): string {
  if (job.failureWord !== null) {
    const { sentence, advice } = explainFailure(`${job.failureWord}: ${job.failureSentence ?? ''}`)
    return `${sentence} ${advice}`
  }
  if (job.status !== 'done' || !job.report) return ''
  const sentence = reportSentence({ ...job.report, jobId: job.id, status: 'done', pair: job.pair })
  return sentence ?? (job.outputBytes === null ? '' : format.bytes(job.outputBytes))
}

/** The user's own password and passkeys. */
function SignInCard() {
  const { run, fault } = useAction()
  const [note, setNote] = useState<string | null>(null)
  const runWithNote = (work: () => Promise<unknown>, success: string) => {
    setNote(null)
    return run(() => work().then(() => setNote(success)))
  }
  const change = onSubmit((fields, form) =>
    runWithNote(
      () => send('/password', Object.fromEntries(fields)).then(() => form.reset()),
      'The password is changed. Other sessions are signed out.',
    ),
  )
  return (
    <Card title="Signing in">
      <form class="stack" onSubmit={change}>
        <label>
          Current password
          <input name="current" type="password" autocomplete="current-password" />
        </label>
        <label>
          New password
          <input name="next" type="password" autocomplete="new-password" required minLength={10} />
        </label>
        <Fault text={fault} />
        <Note text={note} />
        <div>
          <Button text="Change password" type="submit" />
        </div>
      </form>
      <Passkeys onRun={runWithNote} />
    </Card>
  )
}

function Passkeys({ onRun }: { onRun: (work: () => Promise<unknown>, success: string) => Promise<void> }) {
  const [passkeys, setPasskeys] = useState<PasskeyRecord[]>([])
  const load = () => listPasskeys().then((found) => setPasskeys(found.passkeys))
  // The rest of the page reports a service that cannot be reached.
  useEffect(() => void load().catch(() => {}), [])
  return (
    <div class="stack">
      <h3>Passkeys</h3>
      {passkeys.length === 0 ? <p class="muted small">None yet.</p> : null}
      <ul class="passkeys">
        {passkeys.map(({ id, createdAt, usedAt }) => (
          <li key={id}>
            <span>
              Added {format.day(createdAt)}
              <span class="muted small">
                {usedAt ? `, used ${format.relative(usedAt)}` : ', not used yet'}
              </span>
            </span>
            <Button
              kind="danger small"
              text="Remove"
              hiddenText={`the passkey of ${format.day(createdAt)}`}
              onClick={() =>
                onRun(() => send(`/passkeys/${id}/remove`).then(load), 'The passkey is removed.')
              }
            />
          </li>
        ))}
      </ul>
      {canUsePasskeys() ? (
        <div>
          <Button
            kind="quiet"
            text="Add a passkey"
            onClick={() => onRun(() => addPasskey().then(load), 'The passkey is added.')}
          />
        </div>
      ) : (
        <p class="muted small">Passkeys need https and a current browser.</p>
      )}
    </div>
  )
}

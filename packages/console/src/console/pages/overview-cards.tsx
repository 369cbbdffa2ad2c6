import * as format from '../../shared/format.ts'
import { Badge } from '../../shared/parts/badge.tsx'
import { Card, Empty, Fact, Meter, Progress } from '../../shared/parts/card.tsx'
import { Table } from '../../shared/parts/table.tsx'
import { Link } from '../router.tsx'
import type { Charts, Lane, Overview, RunningJob, ServiceProcess } from '../types.ts'

export function LanesCard({ lanes }: { lanes: Lane[] }) {
  return (
    <Card title="Queue">
      <Table columns={['Lane', '#Waiting', '#Oldest', 'Running']}>
        {lanes.map((lane) => (
          <tr key={lane.lane}>
            <th scope="row">{lane.lane}</th>
            <td class="number">{format.count(lane.waiting)}</td>
            <td class="number">{lane.waiting > 0 ? format.duration(lane.oldestSeconds * 1000) : '–'}</td>
            <td>
              {lane.slots === 0 ? (
                <Badge tone="warn" text="no worker" />
              ) : (
                <span class="with-meter">
                  {lane.running} of {lane.slots}
                  <Meter
                    part={lane.running}
                    all={lane.slots}
                    label={`${lane.running} of ${lane.slots} slots busy`}
                  />
                </span>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  )
}

export function RunningCard({ jobs }: { jobs: RunningJob[] }) {
  return (
    <Card title="Running now" aside={<span class="muted small">{format.plural(jobs.length, 'job')}</span>}>
      {jobs.length === 0 ? (
        <Empty>No conversion runs just now.</Empty>
      ) : (
        <ul class="running">
          {jobs.slice(0, 8).map((job) => (
            <li key={job.id}>
              <Link to={`/jobs/${job.id}`}>{job.pair}</Link>
              <span class="muted small">
                {format.bytes(job.bytes)}
                {job.attempt > 1 ? `, attempt ${job.attempt}` : ''}
              </span>
              <span class="number muted small">{format.duration(job.seconds * 1000)}</span>
              <Progress value={job.progress} label={`Progress of ${job.pair}`} />
            </li>
          ))}
          {jobs.length > 8 ? (
            <li>
              <Link to="/jobs?status=processing">all of them</Link>
            </li>
          ) : null}
        </ul>
      )}
    </Card>
  )
}

export function PairsCard({ charts, when }: { charts: Charts; when: string }) {
  return (
    <Card title="Pairs" aside={<span class="muted small">{when}</span>} class="tall">
      {charts.pairs.length === 0 ? (
        <Empty>Nothing was converted in {when}.</Empty>
      ) : (
        <Table columns={['Pair', '#Done', '#Failed', '#p50', '#p95']} limited>
          {charts.pairs.map((pair) => (
            <tr key={pair.pair}>
              <th scope="row">
                <Link to={`/jobs?pair=${pair.pair}`}>{pair.pair}</Link>
              </th>
              <td class="number">{format.count(pair.done)}</td>
              <td class="number">{pair.failed > 0 ? format.count(pair.failed) : '–'}</td>
              <td class="number">{format.duration(pair.p50)}</td>
              <td class="number">{format.duration(pair.p95)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  )
}

export function FailuresCard({ charts, when }: { charts: Charts; when: string }) {
  const maxJobs = Math.max(1, ...charts.failures.map(({ jobs }) => jobs))
  return (
    <Card title="Failures" aside={<span class="muted small">{when}</span>}>
      {charts.failures.length === 0 ? (
        <Empty>Nothing failed in {when}.</Empty>
      ) : (
        <ul class="bars">
          {charts.failures.map(({ reason, jobs }) => (
            <li key={reason}>
              <Link to={`/jobs?reason=${reason}`}>{reason}</Link>
              <span class="bar" aria-hidden="true">
                <span style={{ width: `${(100 * jobs) / maxJobs}%` }} />
              </span>
              <span class="number">{format.count(jobs)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const kinds = { all: 'API and worker', api: 'API', worker: 'worker' } as const

export function HealthCard({ processes }: { processes: ServiceProcess[] }) {
  return (
    <Card
      title="Processes, sandbox and engines"
      aside={<span class="muted small">{format.plural(processes.length, 'process', 'processes')}</span>}
      class="wide"
    >
      {processes.length === 0 ? <Empty>No process has reported yet.</Empty> : null}
      <ul class="processes">
        {processes.map((process) => (
          <li key={process.id}>
            <div class="process-head">
              <strong>{process.host}</strong>
              <span class="muted small">
                {kinds[process.kind]}, process {process.pid}, up for{' '}
                {format.duration(Date.now() - Date.parse(process.startedAt))},{' '}
                {format.bytes(process.facts.memoryBytes)}
              </span>
            </div>
            <ProcessFacts process={process} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function ProcessFacts({ process: { facts, kind } }: { process: ServiceProcess }) {
  const { sandbox, engines, waiting, fonts, disk } = facts
  return (
    <div class="chips">
      {sandbox ? (
        <span class={`chip ${sandbox.level === 'none' ? 'bad' : 'good'}`}>
          <span class="dot" aria-hidden="true" />
          sandbox {sandbox.level}
          <span class="muted">
            {sandbox.checks > 0
              ? `${sandbox.passed} of ${sandbox.checks} checks passed`
              : 'engines run without a sandbox'}
          </span>
        </span>
      ) : null}
      {engines?.map(({ name, ok, detail }) => (
        <span key={name} class={`chip ${ok ? 'good' : 'bad'}`}>
          <span class="dot" aria-hidden="true" />
          {name}
          <span class="muted">{detail}</span>
        </span>
      ))}
      {engines === null && kind !== 'api' ? <span class="chip">engines are being checked</span> : null}
      {waiting && waiting.length > 0 ? (
        <span class="chip">
          pre-warmed processes
          <span class="muted">
            {waiting
              .map(
                ({ engine, ready, taken, missed }) =>
                  `${engine} ${ready}, took ${taken} of ${taken + missed}`,
              )
              .join('; ')}
          </span>
        </span>
      ) : null}
      {fonts ? (
        <span class={`chip ${fonts.fault ? 'bad' : ''}`}>
          fonts of {fonts.folder}
          <span class="muted">{fonts.fault ?? (fonts.families.join(', ') || 'none yet')}</span>
        </span>
      ) : null}
      {disk ? (
        <span class={`chip ${disk.freeBytes < 0.05 * disk.totalBytes ? 'bad' : ''}`}>
          disk
          <Meter
            warns
            part={disk.totalBytes - disk.freeBytes}
            all={disk.totalBytes}
            label={`${format.bytes(disk.freeBytes)} of ${format.bytes(disk.totalBytes)} free`}
          />
          <span class="muted">{format.bytes(disk.freeBytes)} free</span>
        </span>
      ) : null}
    </div>
  )
}

export function StorageCard({ data }: { data: Overview }) {
  const { holdings, retention, storage } = data
  return (
    <Card
      title="Storage and retention"
      aside={<span class="muted small">{storage === 'bucket' ? 'in the bucket' : 'in the data folder'}</span>}
      class="wide"
    >
      <dl class="facts">
        <Fact name="Outputs kept">
          {format.count(holdings.outputs)} <span class="muted">{format.bytes(holdings.outputBytes)}</span>
        </Fact>
        <Fact name="Deleted after">
          {format.duration(retention.outputSeconds * 1000)}{' '}
          <span class="muted">
            {holdings.nextExpiry ? `next ${format.relative(holdings.nextExpiry)}` : 'none kept'}
          </span>
        </Fact>
        <Fact name="Overdue" tone={holdings.overdueOutputs > 0 ? 'bad' : ''}>
          {holdings.overdueOutputs > 0
            ? `${format.count(holdings.overdueOutputs)}: the sweeper does not keep up`
            : 'none'}
        </Fact>
        <Fact name="Inputs kept">
          {format.count(holdings.inputs)} <span class="muted">{format.bytes(holdings.inputBytes)}</span>
        </Fact>
        <Fact name="Uploads awaited">{format.count(holdings.awaitedUploads)}</Fact>
        <Fact name="Records kept">
          {format.duration(retention.recordSeconds * 1000)}{' '}
          <span class="muted">
            {holdings.oldestRecord ? `oldest ${format.relative(holdings.oldestRecord)}` : ''}
          </span>
        </Fact>
        <Fact name="Database">{format.bytes(holdings.databaseBytes)}</Fact>
      </dl>
    </Card>
  )
}

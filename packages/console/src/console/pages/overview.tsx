import * as format from '../../shared/format.ts'
import { Empty, Figure } from '../../shared/parts/card.tsx'
import { useData } from '../../shared/use-data.ts'
import { ChartCard, type Series } from '../parts/chart.tsx'
import { go, type Route } from '../router.tsx'
import type { ChartPoint, Charts, Overview } from '../types.ts'
import {
  FailuresCard,
  HealthCard,
  LanesCard,
  PairsCard,
  RunningCard,
  StorageCard,
} from './overview-cards.tsx'

const periods = [
  ['hour', 'Hour'],
  ['day', 'Day'],
  ['month', 'Month'],
] as const
const names = { hour: 'the last hour', day: 'the last 24 hours', month: 'the last 30 days' } as const
type Period = keyof typeof names

export function OverviewPage({ route }: { route: Route }) {
  const over = route.query.get('over')
  const period: Period = over === 'day' || over === 'month' ? over : 'hour'
  const live = useData<Overview>('/overview', 2000)
  const charts = useData<Charts>(`/charts?over=${period}`, period === 'hour' ? 3000 : 15_000)
  const { data } = live

  return (
    <>
      <header class="page-head">
        <h1>Overview</h1>
        <LiveState data={data} error={live.error} />
        <fieldset class="switch">
          <legend class="hidden-text">Time that the charts show</legend>
          {periods.map(([value, label]) => (
            <label key={value} class={value === period ? 'on' : ''}>
              <input
                type="radio"
                name="period"
                checked={value === period}
                onChange={() => go(value === 'hour' ? '/' : `/?over=${value}`, { replace: true })}
              />
              {label}
            </label>
          ))}
        </fieldset>
      </header>
      {data?.faults.map((fault) => (
        <p key={fault} class="notice bad">
          {fault}
        </p>
      ))}
      {data ? <Figures data={data} charts={charts.data} period={period} /> : null}
      {charts.data ? (
        <ChartRow charts={charts.data} period={period} />
      ) : (
        <Empty>{charts.error ?? 'Loading…'}</Empty>
      )}
      {data ? (
        <div class="grid">
          <div class="column">
            <LanesCard lanes={data.lanes} />
            {charts.data ? <PairsCard charts={charts.data} when={names[period]} /> : null}
          </div>
          <div class="column">
            <RunningCard jobs={data.running} />
            {charts.data ? <FailuresCard charts={charts.data} when={names[period]} /> : null}
          </div>
          <HealthCard processes={data.processes} />
          <StorageCard data={data} />
        </div>
      ) : null}
    </>
  )
}

function LiveState({ data, error }: { data: Overview | null; error: string | null }) {
  if (error) return <span class="state bad">{error}</span>
  if (!data) return <span class="state muted">Loading…</span>
  return (
    <span class="state good live">
      <span class="dot" aria-hidden="true" />
      Live
    </span>
  )
}

function Figures({ data, charts, period }: { data: Overview; charts: Charts | null; period: Period }) {
  const waiting = data.lanes.reduce((sum, lane) => sum + lane.waiting, 0)
  const oldest = Math.max(0, ...data.lanes.map((lane) => lane.oldestSeconds))
  const running = data.lanes.reduce((sum, lane) => sum + lane.running, 0)
  const slots = data.lanes.reduce((sum, lane) => sum + lane.slots, 0)
  const done = charts?.pairs.reduce((sum, pair) => sum + pair.done, 0) ?? 0
  const failed = charts?.pairs.reduce((sum, pair) => sum + pair.failed, 0) ?? 0
  return (
    <dl class="figures">
      <Figure
        label="Conversions per minute"
        value={format.count(data.lastMinute.done)}
        note={data.lastMinute.failed > 0 ? `${data.lastMinute.failed} failed` : 'none failed'}
      />
      <Figure
        label="Waiting"
        value={format.count(waiting)}
        note={waiting > 0 ? `oldest ${format.duration(oldest * 1000)}` : 'nothing waits'}
        tone={oldest > 60 ? 'warn' : ''}
      />
      <Figure
        label="Running"
        value={format.count(running)}
        note={slots > 0 ? `of ${format.plural(slots, 'slot')}` : 'no worker'}
        tone={slots === 0 ? 'bad' : ''}
      />
      <Figure
        label={`Done in ${names[period]}`}
        value={format.count(done)}
        note={`${format.percent(failed, done + failed)} failed`}
      />
      <Figure
        label="This month"
        value={format.count(data.month.jobs)}
        note={`${format.plural(data.month.activeAccounts, 'account')}, ${format.bytes(data.month.bytes)}`}
      />
    </dl>
  )
}

function ChartRow({ charts, period }: { charts: Charts; period: Period }) {
  const { times, points } = fillGaps(charts)
  const bars = (label: string, color: string, read: (point: ChartPoint) => number): Series => ({
    label,
    color,
    shape: 'bars',
    values: points.map((point) => (point ? read(point) : 0)),
  })
  const line = (label: string, color: string, read: (point: ChartPoint) => number | null): Series => ({
    label,
    color,
    shape: 'line',
    values: points.map((point) => point && read(point)),
  })
  const sum = (read: (point: ChartPoint) => number) =>
    charts.points.reduce((total, point) => total + read(point), 0)
  const when = names[period]
  return (
    <div class="charts">
      <ChartCard
        title="Conversions"
        aside={{ hour: 'per minute', day: 'per 10 minutes', month: 'per 6 hours' }[period]}
        times={times}
        format={format.count}
        isCount
        summary={`${sum(({ done }) => done)} done and ${sum(({ failed }) => failed)} failed in ${when}`}
        series={[
          bars('done', '--chart-1', ({ done }) => done),
          bars('failed', '--chart-3', ({ failed }) => failed),
        ]}
      />
      <ChartCard
        title="Time of a conversion"
        aside="p50 and p95"
        times={times}
        format={format.duration}
        summary={`the median and the 95th percentile of the durations of conversions in ${when}`}
        series={[line('p50', '--chart-2', ({ p50 }) => p50), line('p95', '--chart-1', ({ p95 }) => p95)]}
      />
      <ChartCard
        title="Wait in the queue"
        aside="upload to start"
        times={times}
        format={format.duration}
        summary={`average and longest wait from upload to start in ${when}`}
        series={[
          line('average', '--chart-2', ({ wait }) => wait),
          line('longest', '--chart-3', ({ longestWait }) => longestWait),
        ]}
      />
    </div>
  )
}

/** Adds null for times at which no job ended, so that the charts show these times too. */
function fillGaps({ now, span, seconds, points }: Charts): {
  times: number[]
  points: (ChartPoint | null)[]
} {
  const found = new Map(points.map((point) => [Date.parse(point.start) / 1000, point]))
  const last = Math.floor(Date.parse(now) / 1000 / span) * span
  const times = Array.from({ length: seconds / span }, (_, index) => last - seconds + (index + 1) * span)
  return { times, points: times.map((time) => found.get(time) ?? null) }
}

import * as format from '../../shared/format.ts'
import { Empty, Figure } from '../../shared/parts/card.tsx'
import { useData } from '../../shared/use-data.ts'
import { ChartCard } from '../parts/chart.tsx'
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
  const pick = <T,>(read: (point: ChartPoint | null) => T) => points.map(read)
  const done = charts.points.reduce((sum, point) => sum + point.done, 0)
  const failed = charts.points.reduce((sum, point) => sum + point.failed, 0)
  const per = { hour: 'per minute', day: 'per 10 minutes', month: 'per 6 hours' }[period]
  const time = (value: number) => format.duration(value)
  const seconds = (value: number | null | undefined) => value ?? null
  return (
    <div class="charts">
      <ChartCard
        title="Conversions"
        aside={per}
        times={times}
        format={format.count}
        isCount
        summary={`${done} done and ${failed} failed in ${names[period]}`}
        isEmpty={charts.points.length === 0}
        series={[
          { label: 'done', color: '--chart-1', shape: 'bars', values: pick((point) => point?.done ?? 0) },
          {
            label: 'failed',
            color: '--chart-3',
            shape: 'bars',
            values: pick((point) => point?.failed ?? 0),
          },
        ]}
      />
      <ChartCard
        title="Time of a conversion"
        aside="p50 and p95"
        times={times}
        format={time}
        summary={`half of all conversions, and 95 of 100, took at most so long, in ${names[period]}`}
        isEmpty={charts.points.every((point) => point.p50 === null)}
        series={[
          { label: 'p50', color: '--chart-2', shape: 'line', values: pick((point) => seconds(point?.p50)) },
          { label: 'p95', color: '--chart-1', shape: 'line', values: pick((point) => seconds(point?.p95)) },
        ]}
      />
      <ChartCard
        title="Wait in the queue"
        aside="upload to start"
        times={times}
        format={time}
        summary={`average and longest wait from upload to start in ${names[period]}`}
        isEmpty={charts.points.every((point) => point.wait === null)}
        series={[
          {
            label: 'average',
            color: '--chart-2',
            shape: 'line',
            values: pick((point) => seconds(point?.wait)),
          },
          {
            label: 'longest',
            color: '--chart-3',
            shape: 'line',
            values: pick((point) => seconds(point?.longestWait)),
          },
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

import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { Card } from '../../shared/parts/card.tsx'

// A chart over time. uPlot draws on a canvas, which a screen reader cannot read, so the figure has a text description;
// the legend under it is ordinary text and follows the pointer.

export interface Series {
  label: string
  /** The name of a colour of the theme, like `--chart-1`. */
  color: string
  values: (number | null)[]
  shape: 'bars' | 'line'
}

export interface ChartProps {
  title: string
  /** Seconds since 1970, one per value. */
  times: number[]
  series: Series[]
  format: (value: number) => string
  /** Its values are counts: the axis has whole numbers only. */
  isCount?: boolean | undefined
  /** A description of the chart in one sentence. */
  summary: string
}

const height = 190

const isEmpty = ({ shape, values }: Series) =>
  values.every((value) => value === null || (shape === 'bars' && value === 0))

export function ChartCard({ aside, ...chart }: ChartProps & { aside: string }) {
  return (
    <Card title={chart.title} aside={<span class="muted small">{aside}</span>}>
      <Chart {...chart} />
    </Card>
  )
}

function Chart({ title, times, series, format, isCount, summary }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const scheme = useColorScheme()
  const shape = series.map(({ label }) => label).join()
  const data: uPlot.AlignedData = [times, ...series.map(({ values }) => values)]

  useEffect(() => {
    const target = place.current
    if (!target) return
    const made = new uPlot(options(target, series, { format, isCount }, setPointed), data, target)
    plot.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: target.clientWidth, height }))
    observer.observe(target)
    return () => {
      observer.disconnect()
      made.destroy()
    }
  }, [shape, scheme])
  useEffect(() => plot.current?.setData(data), [data])

  // The last span is not over yet; the one before it is.
  const at = pointed ?? times.length - 2
  return (
    <figure class="chart" aria-label={`${title}: ${summary}`}>
      <div class="plot" ref={place} aria-hidden="true" />
      {series.every(isEmpty) ? <p class="chart-empty">Nothing in this time</p> : null}
      <figcaption>
        {series.map(({ label, color, values }) => (
          <span key={label} class="key">
            <span class="swatch" style={{ background: `var(${color})` }} />
            {label}{' '}
            <strong>{values[at] === null || values[at] === undefined ? '–' : format(values[at])}</strong>
          </span>
        ))}
        <span class="muted when">{clock(times[at] ?? 0, times)}</span>
      </figcaption>
    </figure>
  )
}

function options(
  target: HTMLElement,
  series: Series[],
  { format, isCount }: Pick<ChartProps, 'format' | 'isCount'>,
  onPoint: (index: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(target)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const axis: uPlot.Axis = {
    stroke: color('--muted'),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  }
  const bars = uPlot.paths.bars?.({ size: [0.75, 24, 1], radius: 0.15 })
  return {
    width: target.clientWidth,
    height,
    padding: [12, 18, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      // Half a span to both sides, so that the first and the last bar are whole.
      x: { range: (plot, min, max) => [min - halfSpan(plot), max + halfSpan(plot)] },
      y: { range: (_plot, _min, max) => [0, Math.max(max * 1.1, Number.MIN_VALUE)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 60,
        values: (plot, splits) => splits.map((split) => clock(split, plot.data[0], true)),
      },
      {
        ...axis,
        size: 56,
        ...(isCount ? { incrs: wholeSteps } : {}),
        values: (_plot, values) => values.map((value) => (value === 0 ? '0' : format(value))),
      },
    ],
    series: [
      {},
      ...series.map(
        (each): uPlot.Series => ({
          label: each.label,
          stroke: color(each.color),
          width: each.shape === 'line' ? 2 : 0,
          spanGaps: false,
          points: { show: each.shape === 'line', size: 5, filter: lonePoints },
          ...(each.shape === 'bars' ? { fill: color(each.color), ...(bars ? { paths: bars } : {}) } : {}),
        }),
      ),
    ],
    hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
  }
}

/** From one line of the axis to the next: 1, 2, 5, 10, 20, 50 and so on. */
const wholeSteps = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat()

const halfSpan = (plot: uPlot) => ((plot.data[0][1] ?? 0) - (plot.data[0][0] ?? 0)) / 2

/** A line needs two points; an isolated point is drawn as a dot. */
const lonePoints: uPlot.Series.Points.Filter = (plot, seriesIndex) => {
  const values = plot.data[seriesIndex] ?? []
  const isThere = (index: number) => values[index] !== null && values[index] !== undefined
  return [...values.keys()].filter((at) => isThere(at) && !isThere(at - 1) && !isThere(at + 1))
}

function clock(seconds: number, times: ArrayLike<number>, isShort = false): string {
  const isLong = (times[times.length - 1] ?? 0) - (times[0] ?? 0) > 86_400 * 1.5
  const date = new Date(seconds * 1000)
  if (isLong && isShort) return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
  return date.toLocaleString(
    'en-GB',
    isLong
      ? { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
      : { hour: '2-digit', minute: '2-digit' },
  )
}

function useColorScheme(): string {
  const query = matchMedia('(prefers-color-scheme: dark)')
  const [isDark, setDark] = useState(query.matches)
  useEffect(() => {
    const change = () => setDark(query.matches)
    query.addEventListener('change', change)
    return () => query.removeEventListener('change', change)
  }, [query])
  return isDark ? 'dark' : 'light'
}

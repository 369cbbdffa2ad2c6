import { colours, document, inner, legend, path, targetLine, text, ticks, verticalAxis } from './svg.ts'

export interface LineChart {
  title: string
  xAxis: string
  yAxis: string
  series: readonly { name: string; points: readonly (readonly [number, number])[] }[]
  target?: { value: number; words: string }
  /** Where the x axis ends; points beyond it are left out. */
  largestX?: number
}

export function lineChart({ title, xAxis, yAxis, series, target, largestX }: LineChart): string {
  const all = series.flatMap(({ points }) => [...points])
  const marks = ticks(largestX ?? Math.max(...all.map(([x]) => x)))
  const end = marks.at(-1) as number
  const axis = verticalAxis(Math.max(...all.map(([, y]) => y), target?.value ?? 0), yAxis)
  const placeX = (value: number) => inner.left + (value / end) * (inner.right - inner.left)
  const lines = series.map(({ points }, index) =>
    path(
      points.filter(([x]) => x <= end).map(([x, y]) => [placeX(x), axis.place(y)] as const),
      colours[index] as string,
    ),
  )
  const labels = marks.map((mark) => text(placeX(mark), inner.bottom + 16, mark.toLocaleString('en-US')))
  return document(
    title,
    axis.drawn,
    ...labels,
    text((inner.left + inner.right) / 2, inner.bottom + 34, xAxis),
    ...lines,
    series.length > 1 ? legend(series.map(({ name }) => name)) : '',
    target ? targetLine(axis.place(target.value), target.words) : '',
  )
}

/** The share of samples at or below each value, in per cent. */
export function cumulative(samples: readonly number[]): [number, number][] {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted.map((value, index) => [value, ((index + 1) / sorted.length) * 100])
}

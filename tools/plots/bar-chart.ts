import { colours, document, inner, legend, rectangle, targetLine, text, verticalAxis } from './svg.ts'

export interface BarChart {
  title: string
  /** Label of the axis. */
  axis?: string
  groups: readonly string[]
  series: readonly { name: string; values: readonly number[] }[]
  target?: { value: number; words: string }
}

// A name that is wider than its bars is written with one word per line.
const letterWidth = 7
const lineHeight = 13

export function barChart({ title, axis: label, groups, series, target }: BarChart): string {
  const values = series.flatMap((each) => [...each.values])
  const axis = verticalAxis(Math.max(...values, target?.value ?? 0), label)
  const groupWidth = (inner.right - inner.left) / groups.length
  const barWidth = Math.min(60, (groupWidth * 0.7) / series.length)
  const bars = groups.map((name, group) => {
    const middle = inner.left + groupWidth * (group + 0.5)
    const drawn = series.map(({ values: own }, index) => {
      const x = middle + (index - series.length / 2) * barWidth
      const y = axis.place(own[group] ?? 0)
      return rectangle(x, y, barWidth - 2, inner.bottom - y, colours[index] as string)
    })
    const lines = name.length * letterWidth > groupWidth ? name.split(' ') : [name]
    return (
      drawn.join('') +
      lines.map((words, at) => text(middle, inner.bottom + 18 + at * lineHeight, words)).join('')
    )
  })
  return document(
    title,
    axis.drawn,
    ...bars,
    series.length > 1 ? legend(series.map(({ name }) => name)) : '',
    target ? targetLine(axis.place(target.value), target.words) : '',
  )
}

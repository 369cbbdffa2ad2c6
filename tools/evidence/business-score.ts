import { countCommon } from './count-common.ts'

// Invoices and price lists: which texts are side by side, which value belongs to which label, which cells form a row.

interface BusinessTruth {
  /** Lines that belong together and are read one after the other. */
  runs: string[][]
  /** A label and its value. */
  pairs: [string, string][]
  rows: string[][]
}

/** Shares of the truth that are in the HTML. */
interface BusinessScore {
  /** Words that came through. */
  words: number
  /** Neighbouring lines of a block that are still neighbours. */
  runs?: number
  /** Labels followed by their values, next to or below them in a table. */
  pairs?: number
  /** Cells of the items that are in their own row, in order. */
  rows?: number
}

const bare = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('☐', '').trim()

const textOf = (html: string): string =>
  bare(
    html
      .replace(/<annotation[\s\S]*?<\/annotation>/g, '')
      .replace(/<(?:\/?(?:p|td|th|tr|li|h\d|table|br|div)\b)[^>]*>/g, ' ')
      .replace(/<[^>]+>/g, '')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&quot;/g, '"')
      .replace(/&amp;/g, '&'),
  )

const tablesOf = (html: string): string[][][] =>
  [...html.matchAll(/<table[\s\S]*?<\/table>/g)].map(([table]) =>
    [...table.matchAll(/<tr[\s\S]*?<\/tr>/g)].map(([row]) =>
      [...row.matchAll(/<t[dh]\b([^>]*)>([\s\S]*?)<\/t[dh]>/g)].flatMap(([, attributes = '', cell = '']) => {
        const span = Number(/colspan="(\d+)"/.exec(attributes)?.[1] ?? 1)
        return [textOf(cell), ...Array.from({ length: span - 1 }, () => '')]
      }),
    ),
  )

const mean = (values: readonly number[]): number =>
  values.reduce((a, b) => a + b, 0) / Math.max(1, values.length)

export function scoreBusiness(truth: BusinessTruth, html: string): BusinessScore {
  const body = html.replace(/^[\s\S]*<body[^>]*>/, '')
  const flat = ` ${textOf(body)} `
  const tables = tablesOf(body)
  const follows = (a: string, b: string): boolean => flat.includes(` ${bare(a)} ${bare(b)} `)
  const isBelow = (a: string, b: string): boolean =>
    tables.some((rows) =>
      rows.some((row, r) => row.some((cell, c) => cell === bare(a) && rows[r + 1]?.[c] === bare(b))),
    )
  const wanted = [...truth.runs, ...truth.pairs, ...truth.rows].flat().flatMap((t) => bare(t).split(' '))
  const steps = truth.runs.flatMap((run) =>
    run.slice(1).map((line, i) => Number(follows(run[i] as string, line))),
  )
  const labelled = truth.pairs.map(([a, b]) => Number(follows(a, b) || isBelow(a, b)))
  return {
    words: countCommon(wanted, flat.split(' ')) / wanted.length,
    ...(steps.length > 0 ? { runs: mean(steps) } : {}),
    ...(labelled.length > 0 ? { pairs: mean(labelled) } : {}),
    ...(truth.rows.length > 0 ? { rows: scoreRows(truth.rows, tables) } : {}),
  }
}

/** Each true row with the row that shares most of its cells, in order; cells too many cost as much as those missing. */
function scoreRows(wanted: readonly string[][], tables: readonly string[][][]): number {
  const rows = tables.flat().map((r) => r.filter((c) => c !== ''))
  let right = 0
  let there = 0
  for (const row of wanted) {
    const best = rows
      .map((r) => ({ common: commonOf(row.map(bare), r), size: r.length }))
      .sort((a, b) => b.common - a.common)[0]
    right += best?.common ?? 0
    there += row.length + (best && best.common > 0 ? best.size : row.length)
  }
  return (2 * right) / there
}

/** The longest sequence of cells that both have. */
function commonOf(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      (table[i] as number[])[j] =
        a[i - 1] === b[j - 1]
          ? (table[i - 1]?.[j - 1] ?? 0) + 1
          : Math.max(table[i - 1]?.[j] ?? 0, table[i]?.[j - 1] ?? 0)
  return table[a.length]?.[b.length] ?? 0
}

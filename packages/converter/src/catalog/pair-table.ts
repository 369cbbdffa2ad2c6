import { formats } from './formats.ts'
import { type FormatName, pairs } from './pairs.ts'

// The table of pairs for people, in docs/formats.md. `npm run generate` puts it in its place.

/** `text` with its table regenerated: the table is between two comments. */
export const withPairTable = (text: string): string =>
  text.replace(
    /(<!-- pairs -->\n)[\s\S]*?(<!-- end -->)/,
    (_, start: string, end: string) => `${start}\n${pairTable()}\n\n${end}`,
  )

/** Formats that go to the same ones share a row. */
function pairTable(): string {
  const rows = new Map<string, FormatName[]>()
  for (const from of new Set(pairs.map((pair) => pair.from))) {
    const targets = pairs.filter((pair) => pair.from === from && pair.to !== formats[from].readAs)
    const to = targets.map((pair) => pair.to).join(', ')
    rows.set(to, [...(rows.get(to) ?? []), from])
  }
  return [
    '| From | To |',
    '|---|---|',
    ...[...rows].map(([to, from]) => `| ${from.map(labelled).join(', ')} | ${to} |`),
  ].join('\n')
}

const labelled = (from: FormatName): string =>
  formats[from].readAs ? `${from} (also to ${formats[from].readAs})` : from

import { formats } from '../formats.ts'
import { type Pair, pairs } from '../pairs.ts'
import { allOptions, optionTables } from './index.ts'
import type { JsonSchema } from './kinds.ts'
import type { Option } from './option.ts'

// The table of options as text: types for programs that call the service, and tables for people. `npm run
// generate` puts both in their places.

export function optionTypes(): string {
  const names = [...new Set(allOptions.map(({ name }) => name))]
  const fields = names.flatMap((name) => {
    const rows = allOptions.filter((option) => option.name === name)
    const descriptions = [...new Set(rows.map((row) => row.description))]
    const types = [...new Set(rows.flatMap(({ schema }) => typesOf(schema)))]
    return [`  /** ${descriptions.join(' Or: ')} */`, `  ${name}?: ${types.join(' | ')} | undefined`]
  })
  return [
    '// Written from the table of options by `npm run generate`.',
    '',
    '/** Options of a conversion. `GET /v1/formats/{pair}` has those that a pair takes. */',
    'export interface ConversionOptions {',
    ...fields,
    '}',
    '',
  ].join('\n')
}

const typesOf = ({ type, enum: words, items }: JsonSchema): string[] => {
  if (type === 'array') {
    const [only, ...more] = typesOf(items as JsonSchema)
    return [`readonly ${more.length > 0 ? `(${[only, ...more].join(' | ')})` : only}[]`]
  }
  if (Array.isArray(words)) return words.map((word) => `'${word}'`)
  return [type === 'integer' ? 'number' : String(type)]
}

/** `text` with its tables regenerated: each table is between two comments. */
export const withOptionTables = (text: string): string =>
  text.replaceAll(
    /(<!-- options: ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) =>
      `${start}\n${tableOf(optionTables[name] ?? [])}\n\n${end}`,
  )

function tableOf(options: readonly Option[]): string {
  // A format that is read as another one has the same options.
  const own = pairs.filter(({ from }) => formats[from].readAs === undefined)
  const ofTable = own.filter((pair) => options.some(({ appliesTo }) => appliesTo(pair)))
  // The only option of a table is described in relation to all pairs.
  const scope = options.length === 1 ? own : ofTable
  return [
    '| Option | For | What it does | Value | Default |',
    '|---|---|---|---|---|',
    ...options.map(
      (option) =>
        `| \`${option.name}\` | ${pairsOf(option, scope)} | ${option.description} | ${option.expected} | ${option.default} |`,
    ),
  ].join('\n')
}

/** The pairs of an option among `scope`; a side is omitted where all formats of it have the option. */
function pairsOf({ appliesTo }: Option, scope: readonly Pair[]): string {
  const taken = scope.filter(appliesTo)
  if (taken.length === scope.length) return 'all'
  const sides = (side: 'from' | 'to', of: readonly Pair[]) => [...new Set(of.map((pair) => pair[side]))]
  const [from, to] = [sides('from', taken), sides('to', taken)]
  const common = [...from, ...to].find((format) =>
    taken.every((pair) => [pair.from, pair.to].includes(format)),
  )
  if (common && from.length > 1 && to.length > 1) return `from or to ${common}`
  const withTarget = scope.filter((pair) => to.includes(pair.to))
  const withSource = scope.filter((pair) => from.includes(pair.from))
  const others = sides('from', withTarget).filter((format) => !from.includes(format))
  const sources = others.length * 5 < from.length ? `all but ${others.join(', ')}` : from.join(', ')
  return [
    taken.length === withTarget.length ? '' : `from ${sources}`,
    taken.length === withSource.length ? '' : `to ${to.join(', ')}`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

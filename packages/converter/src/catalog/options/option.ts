import type { LeftOutKind } from '@kiln/contract'
import type { Pair } from '../pairs.ts'
import type { JsonSchema, Kind, OptionValue } from './kinds.ts'

// An option of a conversion: a row of a table (office.ts, pages.ts, interchange.ts, from-pdf.ts, video.ts), one
// table per engine. Whoever shows or takes options (HTTP, client, command line, agent tools, console, documentation)
// knows none of them by name.

export interface Option<Argument = unknown> {
  readonly name: string
  /** The pairs that it is for. */
  readonly takes: (pair: Pair) => boolean
  readonly schema: JsonSchema
  readonly must: string
  readonly fits: (value: unknown) => boolean
  /** What it does, in one sentence. */
  readonly says: string
  /** What happens without it. */
  readonly otherwise: string
  readonly example: OptionValue
  /** Kept encrypted, erased with the input, and shown to nobody. */
  readonly isSecret?: true
  /** What comes out may say nothing of what the source says first. */
  readonly leavesOut?: true
  /** What this value asks to leave out: in the report, and no reason to warn. */
  readonly unwanted?: (value: never) => readonly LeftOutKind[]
  /** What the engine gets. Called with a value that fits. */
  readonly argument: (value: never) => Argument
}

/** By name; every value fits its option. */
export type Options = Readonly<Record<string, OptionValue>>

/** What holds between the options of a conversion. */
export interface Rule {
  readonly breaks: (options: Options) => boolean
  /** The sentence for whoever gave them. */
  readonly must: string
}

export interface Row<Value extends OptionValue, Argument> {
  name: string
  takes: (pair: Pair) => boolean
  kind: Kind<Value>
  says: string
  otherwise: string
  example: Value
  isSecret?: true
  leavesOut?: true
  unwanted?: (value: Value) => readonly LeftOutKind[]
  argument: (value: Value) => Argument
}

export const rowsFor =
  <Argument>() =>
  <Value extends OptionValue>({ kind, ...row }: Row<Value, Argument>): Option<Argument> => ({
    ...row,
    schema: kind.schema,
    must: kind.must,
    fits: kind.fits,
  })

/**
 * The arguments of all given options as one. Lists are joined, objects are merged; of two plain values the later one
 * counts, in the order of the table.
 */
export function argumentsOf<Argument extends object>(
  table: readonly Option<Argument>[],
  pair: Pair,
  options: Options,
): Argument {
  return table
    .filter(({ name, takes }) => Object.hasOwn(options, name) && takes(pair))
    .map(({ name, argument }) => argument(options[name] as never))
    .reduce<Argument>((all, one) => merged(all, one), {} as Argument)
}

function merged<Value extends object>(first: Value, second: Value): Value {
  const all = { ...first } as Record<string, unknown>
  for (const [name, value] of Object.entries(second)) {
    const before = all[name]
    if (Array.isArray(before) && Array.isArray(value)) all[name] = [...before, ...value]
    else if (isPlain(before) && isPlain(value)) all[name] = merged(before, value)
    else all[name] = value
  }
  return all as Value
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

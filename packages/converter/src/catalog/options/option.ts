import type { LeftOutKind } from '@kiln/contract'
import type { Pair } from '../pairs.ts'
import type { JsonSchema, Kind, OptionValue } from './kinds.ts'

// An option of a conversion: a row of a table (office.ts, pages.ts, interchange.ts, from-pdf.ts, video.ts), one
// table per engine. No other code (HTTP, client, command line, agent tools, console, documentation) refers to an
// option by name.

export interface Option<Argument = unknown> {
  readonly name: string
  /** For a form, such as `Paper size`. */
  readonly label: string
  /** For values whose words do not read well by themselves. */
  readonly choiceLabels?: Readonly<Record<string, string>>
  readonly appliesTo: (pair: Pair) => boolean
  readonly schema: JsonSchema
  /** Completes the sentence "The option X must be …". */
  readonly expected: string
  readonly isValid: (value: unknown) => boolean
  /** What the option does, in one sentence. */
  readonly description: string
  /** What happens without the option, in one sentence. */
  readonly default: string
  readonly example: OptionValue
  /** Stored encrypted, erased with the input, never shown. */
  readonly isSecret?: true
  /** The output may hold only part of the source, and not its beginning. */
  readonly selectsPart?: true
  /** With this value several files come out, in a ZIP archive. */
  readonly givesArchive?: (value: never) => boolean
  /** The content that this value asks to omit: the report lists it without a warning. */
  readonly omits?: (value: never) => readonly LeftOutKind[]
  /** The argument for the engine. Called with a valid value only. */
  readonly argument: (value: never) => Argument
}

/** Validated values by option name. */
export type Options = Readonly<Record<string, OptionValue>>

/** A constraint between several options of a conversion. */
export interface Rule {
  readonly isViolatedBy: (options: Options) => boolean
  /** Error message for the caller. */
  readonly message: string
}

/** An option as its table has it, with types that follow from its kind. */
export interface Row<Value extends OptionValue, Argument>
  extends Omit<Option<Argument>, 'schema' | 'expected' | 'isValid'> {
  readonly kind: Kind<Value>
  readonly example: Value
  readonly givesArchive?: (value: Value) => boolean
  readonly omits?: (value: Value) => readonly LeftOutKind[]
  readonly argument: (value: Value) => Argument
}

export const rowsFor =
  <Argument>() =>
  <Value extends OptionValue>({ kind, ...row }: Row<Value, Argument>): Option<Argument> => ({
    ...row,
    schema: kind.schema,
    expected: kind.expected,
    isValid: kind.isValid,
  })

/**
 * Merges the arguments of all given options. Lists are concatenated and objects merged; of two plain values the
 * later one in the table wins.
 */
export function argumentsOf<Argument extends object>(
  table: readonly Option<Argument>[],
  pair: Pair,
  options: Options,
): Argument {
  return table
    .filter(({ name, appliesTo }) => Object.hasOwn(options, name) && appliesTo(pair))
    .map(({ name, argument }) => argument(options[name] as never))
    .reduce<Argument>((all, one) => merged(all, one), {} as Argument)
}

function merged<Value extends object>(first: Value, second: Value): Value {
  const all = { ...first } as Record<string, unknown>
  for (const [name, value] of Object.entries(second)) {
    const before = all[name]
    if (Array.isArray(before) && Array.isArray(value)) all[name] = [...before, ...value]
    else if (isObject(before) && isObject(value)) all[name] = merged(before, value)
    else all[name] = value
  }
  return all as Value
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

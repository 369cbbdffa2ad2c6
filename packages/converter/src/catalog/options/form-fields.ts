import type { Pair } from '../pairs.ts'
import { optionsOf } from './index.ts'
import type { JsonSchema } from './kinds.ts'
import type { Option } from './option.ts'

// The options of a pair as the fields of a form, derived from the table of options.

export interface OptionField {
  name: string
  label: string
  /** `several` and `list` have a list of texts as their value; `list` is typed, with commas. */
  kind: 'flag' | 'choice' | 'several' | 'list' | 'integer' | 'number' | 'text' | 'password'
  choices: { value: string; label: string }[]
  minimum: number | null
  maximum: number | null
  description: string
  /** What happens when the field is left empty. */
  default: string
  example: string
}

export function optionFields(pair: Pair): OptionField[] {
  const options = optionsOf(pair)
  const labels = new Map(options.map(({ name, label }) => [name, label]))
  // In a form another option goes by its label.
  const withLabels = (text: string) => text.replaceAll(/`(\w+)`/g, (code, name) => labels.get(name) ?? code)
  return options.map((option) => fieldOf(option, withLabels))
}

function fieldOf(option: Option, withLabels: (text: string) => string): OptionField {
  const { schema } = option
  const words = (schema.enum ?? (schema.items as JsonSchema | undefined)?.enum ?? []) as string[]
  return {
    name: option.name,
    label: option.label,
    kind: kindOf(option, words),
    choices: words.map((value) => ({ value, label: option.choiceLabels?.[value] ?? labelOf(value) })),
    minimum: (schema.minimum as number | undefined) ?? null,
    maximum: (schema.maximum as number | undefined) ?? null,
    description: withLabels(option.description),
    default: withLabels(option.default),
    example: option.isSecret ? '' : String(option.example),
  }
}

function kindOf({ schema, isSecret }: Option, words: readonly string[]): OptionField['kind'] {
  if (isSecret) return 'password'
  if (schema.type === 'boolean') return 'flag'
  if (schema.type === 'array') return words.length > 0 ? 'several' : 'list'
  if (words.length > 0) return 'choice'
  if (schema.type === 'integer' || schema.type === 'number') return schema.type
  return 'text'
}

/** `left-out` becomes `Left out`. */
const labelOf = (value: string): string => {
  const words = value.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

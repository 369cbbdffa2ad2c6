import { isIP } from 'node:net'

// The kinds of settings that settings.ts uses. A setting is parsed on its own; constraints between settings are checked
// in config.ts.

export type Environment = Readonly<Record<string, string | undefined>>

export interface Setting<Value> {
  readonly name: string
  /** As the documentation shows it. */
  readonly default: string
  readonly meaning: string
  /** Throws a Fault. The text is never empty: an empty setting counts as unset. */
  parse(text: string): Value
  readonly fallback: (env: Environment) => Value
  /** The value is never shown, not even in an error message. */
  readonly isSecret?: true
}

/** Why a value is invalid: completes the sentence `NAME is "value", but …`. */
export class Fault extends Error {}

interface SettingDefinition<Value> {
  readonly name: string
  readonly meaning: string
  /** The default as the documentation shows it, where it is not a plain value. */
  readonly shown?: string
  readonly default: Value | ((env: Environment) => Value)
}

function setting<Value>(
  definition: SettingDefinition<Value>,
  parse: (text: string) => Value,
): Setting<Value> {
  const fallback = (
    typeof definition.default === 'function' ? definition.default : () => definition.default
  ) as Setting<Value>['fallback']
  return {
    name: definition.name,
    meaning: definition.meaning,
    default: definition.shown ?? shownDefault(definition.default),
    parse,
    fallback,
  }
}

function shownDefault(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return String(value ?? '') || 'none'
}

export const text = <Value extends string | null>(
  definition: SettingDefinition<Value>,
): Setting<string | Value> =>
  setting<string | Value>(definition as SettingDefinition<string | Value>, (value) => value)

export const integer = <Value extends number | null>(
  definition: SettingDefinition<Value> & { range: readonly [from: number, to: number] },
): Setting<number | (null extends Value ? null : never)> =>
  setting<number | (null extends Value ? null : never)>(definition as never, (value) => {
    const number = Number(value)
    const [from, to] = definition.range
    if (/^\d+$/.test(value) && number >= from && number <= to) return number
    throw new Fault(`must be a whole number from ${from} to ${to}`)
  })

/** `1` or `0`, or the usual words for them. */
export const flag = <Value extends boolean | null>(
  definition: SettingDefinition<Value>,
): Setting<boolean | (null extends Value ? null : never)> =>
  setting<boolean | (null extends Value ? null : never)>(definition as never, (value) => {
    if (['1', 'yes', 'true'].includes(value)) return true
    if (['0', 'no', 'false'].includes(value)) return false
    throw new Fault('must be 1 or 0')
  })

export const choice = <Choice extends string>(
  definition: SettingDefinition<Choice> & { of: readonly Choice[] },
): Setting<Choice> =>
  setting<Choice>(definition, (value) => {
    const found = definition.of.find((each) => each === value)
    if (found === undefined) throw new Fault(`must be one of ${definition.of.join(', ')}`)
    return found
  })

/** A text that matches a pattern. */
export const formed = <Value extends string | null>(
  definition: SettingDefinition<Value> & { fits: (value: string) => boolean; must: string },
): Setting<string | Value> =>
  setting<string | Value>(definition as SettingDefinition<string | Value>, (value) => {
    if (!definition.fits(value)) throw new Fault(`must ${definition.must}`)
    return value
  })

export const secret = (
  definition: SettingDefinition<null> & { shortest: number },
): Setting<string | null> => ({
  ...setting<string | null>(definition, (value) => {
    if (value.length < definition.shortest)
      throw new Fault(`must have at least ${definition.shortest} characters`)
    return value
  }),
  isSecret: true,
})

/** Addresses and address ranges, separated by commas. */
export const addresses = (definition: SettingDefinition<readonly string[]>): Setting<readonly string[]> =>
  setting<readonly string[]>(definition, (value) => {
    const list = value.split(',').map((each) => each.trim())
    for (const each of list) {
      const [address = '', bits, ...more] = each.split('/')
      const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
      const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits)
      if (maxBits < 0 || !fits || more.length > 0)
        throw new Fault('must be addresses or ranges with commas between them, like 127.0.0.1, 10.0.0.0/8')
    }
    return list
  })

/** Texts separated by commas, parsed by `parse`. */
export const list =
  <Value>(read: (parts: readonly string[]) => Value) =>
  (definition: SettingDefinition<Value>): Setting<Value> =>
    setting<Value>(definition, (value) => read(value.split(',').map((each) => each.trim())))

export const isOrigin = (value: string): boolean => URL.canParse(value) && new URL(value).origin === value

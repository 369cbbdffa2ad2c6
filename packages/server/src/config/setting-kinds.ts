import { isIP } from 'node:net'

// The kinds of settings that settings.ts chooses from. A setting is read from its own text alone; what depends on
// another setting is judged in config.ts.

export type Environment = Readonly<Record<string, string | undefined>>

export interface Setting<Value> {
  readonly name: string
  /** As the documentation shows it. */
  readonly default: string
  readonly meaning: string
  /** Throws a Fault. The text is never empty: an empty setting counts as none. */
  parse(text: string): Value
  readonly fallback: (env: Environment) => Value
  /** Its value is never shown, not even in a complaint. */
  readonly isSecret?: true
}

/** Why a value does not do: the sentence continues `NAME is "value", but …`. */
export class Fault extends Error {}

interface Told<Value> {
  readonly name: string
  readonly meaning: string
  /** For a default that is no plain value: how the documentation tells it. */
  readonly shown?: string
  readonly default: Value | ((env: Environment) => Value)
}

function setting<Value>(told: Told<Value>, parse: (text: string) => Value): Setting<Value> {
  const fallback = (
    typeof told.default === 'function' ? told.default : () => told.default
  ) as Setting<Value>['fallback']
  return {
    name: told.name,
    meaning: told.meaning,
    default: told.shown ?? String(told.default),
    parse,
    fallback,
  }
}

export const text = <Value extends string | null>(told: Told<Value>): Setting<string | Value> =>
  setting<string | Value>(told as Told<string | Value>, (value) => value)

export const integer = <Value extends number | null>(
  told: Told<Value> & { from: number; to: number },
): Setting<number | (null extends Value ? null : never)> =>
  setting<number | (null extends Value ? null : never)>(told as never, (value) => {
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= told.from && number <= told.to) return number
    throw new Fault(`must be a whole number from ${told.from} to ${told.to}`)
  })

/** `1` or `0`, and the words that people write for them. */
export const flag = <Value extends boolean | null>(
  told: Told<Value>,
): Setting<boolean | (null extends Value ? null : never)> =>
  setting<boolean | (null extends Value ? null : never)>(told as never, (value) => {
    if (['1', 'yes', 'true'].includes(value)) return true
    if (['0', 'no', 'false'].includes(value)) return false
    throw new Fault('must be 1 or 0')
  })

export const choice = <Choice extends string>(
  told: Told<Choice> & { of: readonly Choice[] },
): Setting<Choice> =>
  setting<Choice>(told, (value) => {
    const found = told.of.find((each) => each === value)
    if (found === undefined) throw new Fault(`must be one of ${told.of.join(', ')}`)
    return found
  })

/** A text of a certain form. */
export const formed = <Value extends string | null>(
  told: Told<Value> & { fits: (value: string) => boolean; must: string },
): Setting<string | Value> =>
  setting<string | Value>(told as Told<string | Value>, (value) => {
    if (!told.fits(value)) throw new Fault(`must ${told.must}`)
    return value
  })

export const secret = (told: Told<null> & { shortest: number }): Setting<string | null> => ({
  ...setting<string | null>(told, (value) => {
    if (value.length < told.shortest) throw new Fault(`must have at least ${told.shortest} characters`)
    return value
  }),
  isSecret: true,
})

/** Addresses and ranges of addresses, with commas between them. */
export const addresses = (told: Told<readonly string[]>): Setting<readonly string[]> =>
  setting<readonly string[]>(told, (value) => {
    const list = value.split(',').map((each) => each.trim())
    for (const each of list) {
      const [address = '', bits, ...more] = each.split('/')
      const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
      const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
      if (most < 0 || !fits || more.length > 0)
        throw new Fault('must be addresses or ranges with commas between them, like 127.0.0.1, 10.0.0.0/8')
    }
    return list
  })

/** Texts with commas between them, read by their reader. */
export const list =
  <Value>(read: (parts: readonly string[]) => Value) =>
  (told: Told<Value>): Setting<Value> =>
    setting<Value>(told, (value) => read(value.split(',').map((each) => each.trim())))

export const isOrigin = (value: string): boolean => URL.canParse(value) && new URL(value).origin === value

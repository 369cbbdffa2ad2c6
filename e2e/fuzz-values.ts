import fc from 'fast-check'
import { type ApiDescription, resolve, type Schema } from './openapi.ts'

// Values made from the service's own schemas: fitting ones, ones with a single fault, and junk.

/** Values for fields whose schema does not list the valid ones: pairs and sizes that the service supports. */
export type Known = Readonly<Record<string, fc.Arbitrary<unknown>>>

/** Values that fit the schema. */
export const fitting = (
  description: ApiDescription,
  schema: Schema,
  known: Known = {},
): fc.Arbitrary<unknown> => {
  const { type, properties, required, items, anyOf, ...rest } = resolve(description, schema)
  if (rest.enum !== undefined) return fc.constantFrom(...rest.enum)
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((each) => fitting(description, each, known)))
  switch (type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(properties ?? {}).map(([name, field]) => [
            name,
            known[name] ?? fitting(description, field, known),
          ]),
        ),
        { requiredKeys: required ?? [] },
      )
    case 'array':
      return fc.array(fitting(description, items ?? {}, known), { maxLength: 4 })
    case 'integer':
    case 'number':
      return fc.maxSafeInteger().map((value) => {
        const low = rest.minimum ?? Number.MIN_SAFE_INTEGER
        const high = rest.maximum ?? Number.MAX_SAFE_INTEGER
        return Math.min(high, Math.max(low, value))
      })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.string({ unit: 'binary', minLength: rest.minLength ?? 0, maxLength: rest.maxLength ?? 40 })
  }
}

const oddNumbers = fc.constantFrom(
  0,
  -1,
  -0,
  0.5,
  1e-300,
  1e21,
  1.7976931348623157e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 63,
)

const oddStrings = fc.oneof(
  fc.constantFrom('', ' ', '\u0000', '\ud800', '\u202e', '💥', '../../etc/passwd', '{{7*7}}', "' or 1=1 --"),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'null', 'undefined', 'NaN', 'true'),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.integer({ min: 200, max: 20_000 }).map((length) => 'x'.repeat(length)),
)

/** Any JSON value, and some invalid ones. */
const junk: fc.Arbitrary<unknown> = fc.oneof(oddNumbers, oddStrings, fc.jsonValue({ maxDepth: 4 }))

const deep = (open: string, close: string) =>
  fc.integer({ min: 10, max: 3000 }).map((depth) => open.repeat(depth) + close.repeat(depth))

/** Bodies that are hardly JSON. */
export const junkBodies: fc.Arbitrary<string> = fc.oneof(
  junk.map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary', maxLength: 200 }),
  deep('[', ']'),
  deep('{"a":', '}'),
  fc.constantFrom(
    '{"pair":"md-to-html","bytes":1e400}',
    '{"pair":"md-to-html","bytes":-0}',
    '{"bytes":1,"bytes":2}',
  ),
  fc.constantFrom(
    '{"__proto__":{"pair":"md-to-html","bytes":1}}',
    '\ufeff{}',
    '{"pair":"md-to-html","bytes":01}',
  ),
)

/** A fitting object with one thing wrong, or one thing odd. */
export const almostFitting = (
  description: ApiDescription,
  schema: Schema,
  known: Known = {},
): fc.Arbitrary<Record<string, unknown>> => {
  const names = Object.keys(resolve(description, schema).properties ?? {})
  const name = fc.constantFrom(...names)
  const whole = fitting(description, schema, known) as fc.Arbitrary<Record<string, unknown>>
  return fc.oneof(
    fc.tuple(whole, name).map(([value, left]) => {
      const { [left]: _, ...rest } = value
      return rest
    }),
    fc.tuple(whole, name, junk).map(([value, changed, odd]) => ({ ...value, [changed]: odd })),
    fc.tuple(whole, name).map(([value, changed]) => ({ ...value, [changed]: [value[changed]] })),
    fc.tuple(whole, name).map(([value, changed]) => ({ ...value, [changed]: String(value[changed]) })),
    fc
      .tuple(whole, fc.string({ maxLength: 20 }), junk)
      .map(([value, extra, odd]) => ({ ...value, [extra]: odd })),
    fc.tuple(whole, name).map(([value, changed]) => {
      const { [changed]: moved, ...rest } = value
      return { ...rest, [changed.toUpperCase()]: moved }
    }),
  )
}

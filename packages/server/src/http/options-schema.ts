import { allOptions, describedSchema, type JsonSchema, type Option, pairs } from '@kiln/converter/catalog'

/** Every option of every pair, for the API description. An option may have different meanings in two pairs. */
export function everyOptionSchema(): JsonSchema {
  const names = [...new Set(allOptions.map(({ name }) => name))]
  return {
    type: 'object',
    description:
      '`GET /v1/formats/{pair}` has the JSON Schema of the options that a pair takes. Other options are refused.',
    properties: Object.fromEntries(names.map((name) => [name, oneOrMore(name)])),
    additionalProperties: false,
  }
}

function oneOrMore(name: string): JsonSchema {
  const rows = allOptions.filter((option) => option.name === name)
  const [only] = rows
  if (only && rows.length === 1) return forPairs(only)
  return { anyOf: rows.map(forPairs) }
}

function forPairs(option: Option): JsonSchema {
  const schema = describedSchema(option)
  const slugs = pairs.filter(option.appliesTo).map(({ slug }) => slug)
  const some =
    slugs.length > 3 ? `${slugs.slice(0, 3).join(', ')} and ${slugs.length - 3} more` : slugs.join(', ')
  return { ...schema, description: `${String(schema.description)} For ${some}.` }
}

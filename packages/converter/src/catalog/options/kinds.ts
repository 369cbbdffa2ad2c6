import { encodingName } from '../encoding/encoding-names.ts'

// The value types of options. Each has a JSON Schema for programs and a phrase for people: `expected` completes the
// sentence `The option X must be …`. `isValid` is the check that counts; it rejects everything that the schema rejects.

export type OptionValue = string | number | boolean | readonly string[]

export type JsonSchema = Readonly<Record<string, unknown>>

export interface Kind<Value extends OptionValue> {
  readonly schema: JsonSchema
  readonly expected: string
  isValid(value: unknown): value is Value
}

const quoted = (words: readonly string[]): string => {
  const all = words.map((word) => `"${word}"`)
  const last = all.pop()
  return all.length > 0 ? `${all.join(', ')} or ${last}` : `${last}`
}

export const flag: Kind<boolean> = {
  schema: { type: 'boolean' },
  expected: 'true or false',
  isValid: (value) => typeof value === 'boolean',
}

export const choice = <const Word extends string>(...words: readonly Word[]): Kind<Word> => ({
  schema: { type: 'string', enum: words },
  expected: quoted(words),
  isValid: (value): value is Word => words.includes(value as Word),
})

export const wholeNumber = (from: number, to: number): Kind<number> => ({
  schema: { type: 'integer', minimum: from, maximum: to },
  expected: `an integer from ${from} to ${to}`,
  isValid: (value): value is number => Number.isInteger(value) && isWithin(value as number, from, to),
})

export const seconds = (max: number): Kind<number> => ({
  schema: { type: 'number', minimum: 0, maximum: max },
  expected: `a number from 0 to ${max}`,
  isValid: (value): value is number => typeof value === 'number' && isWithin(value, 0, max),
})

const isWithin = (value: number, from: number, to: number) => value >= from && value <= to

/** Several of them, each once. */
export const someOf = <const Word extends string>(...words: readonly Word[]): Kind<readonly Word[]> => ({
  schema: { type: 'array', items: { type: 'string', enum: words }, minItems: 1, uniqueItems: true },
  expected: `a list of ${quoted(words)}`,
  isValid: (value): value is readonly Word[] => isListOf(value, (each) => words.includes(each as Word)),
})

const isListOf = (value: unknown, isValid: (each: string) => boolean): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  new Set(value).size === value.length &&
  value.every((each) => typeof each === 'string' && isValid(each))

const patterned = (schema: { pattern: string; maxLength: number }) => {
  const pattern = new RegExp(schema.pattern, 'u')
  return (value: unknown): value is string =>
    typeof value === 'string' &&
    value.length <= schema.maxLength &&
    value.isWellFormed() &&
    pattern.test(value)
}

const page = '[1-9][0-9]{0,4}'
const range = `${page}(-(${page})?)?`
const rangesSchema = { pattern: `^${range}(,${range})*$`, maxLength: 200 }
const looksLikeRanges = patterned(rangesSchema)

/** `2`, `2-4`, `7-` (to the end), and several of them with commas. */
export const pageRanges: Kind<string> = {
  schema: { type: 'string', ...rangesSchema },
  expected: 'page numbers and ranges in rising order, such as "1-3,5" or "7-"',
  isValid: (value): value is string => looksLikeRanges(value) && isRising(value),
}

/** No page twice, none after a later one: engines disagree about those. */
function isRising(ranges: string): boolean {
  const bounds = ranges
    .split(',')
    .flatMap((each) => (each.includes('-') ? each.split('-') : [each, each]))
    .map((bound) => (bound === '' ? Number.POSITIVE_INFINITY : Number(bound)))
  return bounds.every((bound, index) => {
    const before = bounds[index - 1] ?? 0
    return index % 2 === 0 ? bound > before : bound >= before
  })
}

const millimetres: Readonly<Record<string, number>> = { mm: 1, cm: 10, in: 25.4, pt: 25.4 / 72 }
const lengthSchema = { pattern: '^[0-9]{1,3}([.][0-9]{1,2})?(mm|cm|in|pt)$', maxLength: 9 }
const looksLikeLength = patterned(lengthSchema)

/** The unit is required: 20 could mean millimetres or points. */
export const length = (maxMillimetres: number): Kind<string> => ({
  schema: { type: 'string', ...lengthSchema },
  expected: `a length of at most ${maxMillimetres} mm with its unit, such as "20mm", "2cm", "0.8in" or "56pt"`,
  isValid: (value): value is string =>
    looksLikeLength(value) &&
    Number.parseFloat(value) * (millimetres[value.slice(-2)] ?? 0) <= maxMillimetres,
})

const passwordSchema = { pattern: '^[^\\u0000-\\u001f\\u007f]+$', maxLength: 255 }

export const password: Kind<string> = {
  schema: { type: 'string', minLength: 1, ...passwordSchema, format: 'password' },
  expected: '1 to 255 characters, no control characters',
  isValid: patterned(passwordSchema),
}

const sheetNameSchema = { pattern: '^[^\\u0000-\\u001f\\u007f]+$', maxLength: 100 }

export const sheetName: Kind<string> = {
  schema: { type: 'string', minLength: 1, ...sheetNameSchema },
  expected: 'the name or number of a sheet as a string',
  isValid: patterned(sheetNameSchema),
}

const languageSchema = { pattern: '^[a-z]{3}(_[a-z]{3,4})?$', maxLength: 8 }
const looksLikeLanguage = patterned(languageSchema)

export const languages: Kind<readonly string[]> = {
  schema: {
    type: 'array',
    items: { type: 'string', ...languageSchema },
    minItems: 1,
    maxItems: 4,
    uniqueItems: true,
  },
  expected: 'a list of one to four three-letter languages, such as ["eng", "deu"]',
  isValid: (value): value is readonly string[] =>
    isListOf(value, looksLikeLanguage) && (value as unknown[]).length <= 4,
}

const encodingSchema = { pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]*$', maxLength: 30 }
const looksLikeEncoding = patterned(encodingSchema)

export const encoding: Kind<string> = {
  schema: { type: 'string', minLength: 1, ...encodingSchema },
  expected: 'a character encoding, such as "utf-8", "windows-1252", "shift_jis" or "cp932"',
  isValid: (value): value is string => looksLikeEncoding(value) && encodingName(value) !== undefined,
}

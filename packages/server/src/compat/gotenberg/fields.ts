import { extensionOf, type Form, type FormFile } from '../form.ts'

// The fields of a form, parsed as Gotenberg parses them: all errors are collected, in the order in which the fields are
// read, and reported together, with Gotenberg's messages.

/** Answered with 400 and this text. */
export class InvalidForm extends Error {
  override readonly name = 'InvalidForm'
}

type Parse<Value> = (text: string) => Value
const invalid = (reason: string) => new InvalidForm(reason)

const parseFlag: Parse<boolean> = (text) => {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false
  throw invalid(`strconv.ParseBool: parsing "${text}": invalid syntax`)
}

const parseInteger: Parse<number> = (text) => {
  if (/^[+-]?\d{1,15}$/.test(text)) return Number(text)
  throw invalid(`strconv.Atoi: parsing "${text}": invalid syntax`)
}

const parseNumber: Parse<number> = (text) => {
  if (/^[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})$/.test(text)) return Number(text)
  throw invalid(`strconv.ParseFloat: parsing "${text}": invalid syntax`)
}

const unitsPerInch: Readonly<Record<string, number>> = { in: 1, cm: 2.54, mm: 25.4, pt: 72, px: 96, pc: 6 }

/** In inches, the default unit. */
const parseLength: Parse<number> = (text) => {
  const unit = Object.keys(unitsPerInch).find((each) => text.endsWith(each))
  return unit === undefined
    ? parseNumber(text)
    : parseNumber(text.slice(0, -unit.length)) / (unitsPerInch[unit] ?? 1)
}

const parseDuration: Parse<number> = (text) => {
  const seconds = { ms: 0.001, s: 1, m: 60, h: 3600 } as const
  const parts = [...text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h)/g)]
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text)
    throw invalid(`time: invalid duration ${JSON.stringify(text)}`)
  return parts.reduce(
    (sum, [, number, unit]) => sum + Number(number) * seconds[unit as keyof typeof seconds],
    0,
  )
}

const parseJson =
  (name: string): Parse<unknown> =>
  (text) => {
    try {
      return JSON.parse(text)
    } catch {
      // The message must be Gotenberg's, not Node's.
      throw invalid(`unmarshal ${name}: ${jsonFault(text)}`)
    }
  }

/** The error message of Go's JSON decoder. */
function jsonFault(text: string): string {
  const trimmed = text.trimStart()
  if (trimmed === '') return 'unexpected end of JSON input'
  const literal = ['true', 'false', 'null'].find((each) => trimmed.startsWith(each.charAt(0)))
  if (!literal) return `invalid character '${trimmed.charAt(0)}' looking for beginning of value`
  const at = [...literal].findIndex((letter, index) => trimmed.charAt(index) !== letter)
  if (at < 0) return `invalid character '${trimmed.charAt(literal.length)}' after top-level value`
  if (at >= trimmed.length) return 'unexpected end of JSON input'
  return `invalid character '${trimmed.charAt(at)}' in literal ${literal} (expecting '${literal.charAt(at)}')`
}

export function openFields({ fields, files }: Form) {
  const faults: string[] = []
  const known = new Set<string>()
  const valuesOf = (name: string) => {
    known.add(name)
    return fields.get(name) ?? []
  }

  function read<Value>(name: string, fallback: Value, parse: Parse<Value>): Value {
    const text = valuesOf(name)[0]
    if (text === undefined || text === '') return fallback
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof InvalidForm)) throw error
      faults.push(`form field '${name}' is invalid (got '${text}', resulting to ${error.message})`)
      return fallback
    }
  }

  return {
    files,
    known,
    names: [...fields.keys()],
    all: valuesOf,
    has: (name: string) => (fields.get(name)?.[0] ?? '') !== '',
    text: (name: string, fallback = '') => read(name, fallback, (text) => text),
    flag: (name: string, fallback: boolean) => read(name, fallback, parseFlag),
    number: (name: string, fallback: number) => read(name, fallback, parseNumber),
    length: (name: string, fallback: number) => read(name, fallback, parseLength),
    duration: (name: string) => read(name, 0, parseDuration),
    json: (name: string) => read<unknown>(name, undefined, parseJson(name)),
    /** `must` is the error message for a value that `fits` rejects. */
    integer: (name: string, fallback: number, fits: (value: number) => boolean, must: string) =>
      read(name, fallback, (text) => {
        const value = parseInteger(text)
        if (!fits(value)) throw invalid(must)
        return value
      }),
    choice: <Choice extends string>(name: string, choices: readonly Choice[], must: string) =>
      read<Choice | ''>(name, '', (text) => {
        const found = choices.find((each) => each === text)
        if (found === undefined) throw invalid(must)
        return found
      }),
    custom: <Value>(name: string, fallback: Value, parse: Parse<Value>) => read(name, fallback, parse),
    fault: (text: string) => void faults.push(text),
    required(name: string) {
      if (valuesOf(name).length === 0) faults.push(`form field '${name}' is required`)
    },
    /** Files with these extensions, in Gotenberg's order: numbers in names are compared as numbers. */
    filesWith(extensions: readonly string[], isFor: (file: FormFile) => boolean = isDocument): FormFile[] {
      const found = files.filter((file) => isFor(file) && extensions.includes(extensionOf(file.name)))
      if (found.length === 0) faults.push(`no form file found for extensions: [${extensions.join(' ')}]`)
      return found.toSorted((a, b) => byNumber.compare(a.name, b.name))
    },
    file(name: string): FormFile | undefined {
      const found = files.find((file) => file.name === name)
      if (!found) faults.push(`form file '${name}' is required`)
      return found
    },
    /** Throws when any field had an error. */
    done() {
      if (faults.length > 0) throw new InvalidForm(`Invalid form data: ${faults.join('\n')}`)
    },
  }
}

export type Fields = ReturnType<typeof openFields>

/** Form fields whose files are not documents. */
const otherFields = new Set(['embeds', 'watermark', 'stamp', 'facturxXml'])
export const isDocument = ({ field }: FormFile): boolean => !otherFields.has(field)

const byNumber = new Intl.Collator('en', { numeric: true })

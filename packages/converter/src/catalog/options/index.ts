import type { LeftOutKind } from '@kiln/contract'
import { type Format, formats } from '../formats.ts'
import type { Pair } from '../pairs.ts'
import { mailOptions, markdownOptions, textInputOptions } from './every-engine.ts'
import { archivalOptions, pdfOptions } from './from-pdf.ts'
import { interchangeOptions } from './interchange.ts'
import { internalOptionsOf } from './internal.ts'
import type { JsonSchema } from './kinds.ts'
import { officeOptions } from './office.ts'
import type { Option, Options, Rule } from './option.ts'
import { pageOptions } from './pages.ts'
import { videoOptions, videoRules } from './video.ts'

/** Every option of every pair, by the names of the tables in docs/options.md. */
export const optionTables: Readonly<Record<string, readonly Option[]>> = {
  office: officeOptions,
  pages: pageOptions,
  interchange: interchangeOptions,
  'from-pdf': pdfOptions,
  archival: archivalOptions,
  video: videoOptions,
  'text-input': textInputOptions,
  mail: mailOptions,
  'markdown-output': markdownOptions,
}

export const allOptions: readonly Option[] = Object.values(optionTables).flat()

const rules: readonly Rule[] = [...videoRules]

export const optionsOf = (pair: Pair): Option[] => allOptions.filter(({ appliesTo }) => appliesTo(pair))

/** The options of the pair, as one JSON Schema. */
export const optionsSchema = (pair: Pair): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(optionsOf(pair).map((option) => [option.name, describedSchema(option)])),
  additionalProperties: false,
})

export const describedSchema = (option: Option): JsonSchema => ({
  title: option.label,
  ...option.schema,
  description: `${option.description} Without it: ${option.default.charAt(0).toLowerCase()}${option.default.slice(1)}`,
  ...(option.isSecret ? { writeOnly: true } : { examples: [option.example] }),
})

export type CheckedOptions = { options: Options } | { fault: string }

/** Validates the given options for the pair; `fault` is a message for the caller. */
export function checkOptions(
  pair: Pair,
  given: Readonly<Record<string, unknown>>,
  { withInternal = false } = {},
): CheckedOptions {
  const all = [...optionsOf(pair), ...(withInternal ? internalOptionsOf(pair) : [])]
  const known = new Map(all.map((option) => [option.name, option]))
  for (const [name, value] of Object.entries(given)) {
    const option = known.get(name)
    if (!option) return { fault: unknownOption(pair, name, [...known.keys()]) }
    if (!option.isValid(value)) return { fault: `The option \`${name}\` must be ${option.expected}.` }
  }
  const options = given as Options
  const violated = rules.find(({ isViolatedBy }) => isViolatedBy(options))
  return violated ? { fault: violated.message } : { options }
}

const unknownOption = (pair: Pair, name: string, known: readonly string[]): string =>
  `\`${shown(name)}\` is not an option of ${pair.slug}. ${known.length === 0 ? 'It takes none' : `Its options are ${known.map((each) => `\`${each}\``).join(', ')}`}.`

/** A name is the caller's own text: short, and on one line. */
const shown = (name: string): string => name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '?').slice(0, 40)

/** Whether an option selects only part of the source for the output. */
export const selectsPart = (pair: Pair, options: Options): boolean =>
  optionsOf(pair).some((option) => option.selectsPart && Object.hasOwn(options, option.name))

/** Whether the options ask for several files, which come in a ZIP archive. */
export const givesArchive = (pair: Pair, options: Options): boolean =>
  optionsOf(pair).some(
    (option) => Object.hasOwn(options, option.name) && option.givesArchive?.(options[option.name] as never),
  )

/** How the delivered file is named and declared: as the pair's target, or as an archive of several. */
export const outputFormat = (pair: Pair, options: Options): Pick<Format, 'extension' | 'contentType'> =>
  givesArchive(pair, options) ? { extension: 'zip', contentType: 'application/zip' } : formats[pair.to]

/** The content that the given options ask to omit. */
export const requestedOmissions = (pair: Pair, options: Options): LeftOutKind[] =>
  optionsOf(pair).flatMap(({ name, omits }) =>
    omits && Object.hasOwn(options, name) ? omits(options[name] as never) : [],
  )

/** Names of the options whose values are never shown. */
export const secretNames: ReadonlySet<string> = new Set(
  allOptions.filter(({ isSecret }) => isSecret).map(({ name }) => name),
)

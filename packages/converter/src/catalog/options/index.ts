import type { LeftOutKind } from '@kiln/contract'
import type { Pair } from '../pairs.ts'
import { pdfOptions } from './from-pdf.ts'
import { interchangeOptions } from './interchange.ts'
import type { JsonSchema } from './kinds.ts'
import { officeOptions } from './office.ts'
import type { Option, Options, Rule } from './option.ts'
import { pageOptions } from './pages.ts'
import { videoOptions, videoRules } from './video.ts'

// Every option of every pair.

export const allOptions: readonly Option[] = [
  ...officeOptions,
  ...pageOptions,
  ...interchangeOptions,
  ...pdfOptions,
  ...videoOptions,
]

const rules: readonly Rule[] = [...videoRules]

export const optionsOf = (pair: Pair): Option[] => allOptions.filter(({ takes }) => takes(pair))

/** What the pair takes, as one JSON Schema. */
export const optionsSchema = (pair: Pair): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(optionsOf(pair).map((option) => [option.name, describedSchema(option)])),
  additionalProperties: false,
})

export const describedSchema = ({ schema, says, otherwise, example, isSecret }: Option): JsonSchema => ({
  ...schema,
  description: `${says} Without it: ${otherwise.charAt(0).toLowerCase()}${otherwise.slice(1)}`,
  ...(isSecret ? { writeOnly: true } : { examples: [example] }),
})

export type CheckedOptions = { options: Options } | { fault: string }

/** Are these options of the pair? If not, `fault` is the sentence for whoever gave them. */
export function checkOptions(pair: Pair, given: Readonly<Record<string, unknown>>): CheckedOptions {
  const known = new Map(optionsOf(pair).map((option) => [option.name, option]))
  for (const [name, value] of Object.entries(given)) {
    const option = known.get(name)
    if (!option) return { fault: unknownOption(pair, name, [...known.keys()]) }
    if (!option.fits(value)) return { fault: `The option \`${name}\` must be ${option.must}.` }
  }
  const options = given as Options
  const broken = rules.find(({ breaks }) => breaks(options))
  return broken ? { fault: broken.must } : { options }
}

const unknownOption = (pair: Pair, name: string, known: readonly string[]): string =>
  `\`${shown(name)}\` is no option of ${pair.slug}. ${known.length === 0 ? 'It takes none' : `Its options are ${known.map((each) => `\`${each}\``).join(', ')}`}.`

/** A name is the caller's own text: short, and on one line. */
const shown = (name: string): string => name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '?').slice(0, 40)

/** May what comes out say nothing of what the source says first? */
export const leavesOut = (pair: Pair, options: Options): boolean =>
  optionsOf(pair).some((option) => option.leavesOut && Object.hasOwn(options, option.name))

/** What whoever converts has asked to leave out. */
export const unwantedIn = (pair: Pair, options: Options): LeftOutKind[] =>
  optionsOf(pair).flatMap(({ name, unwanted }) =>
    unwanted && Object.hasOwn(options, name) ? unwanted(options[name] as never) : [],
  )

/** Names of the options that nobody may see the value of. */
export const secretNames: ReadonlySet<string> = new Set(
  allOptions.filter(({ isSecret }) => isSecret).map(({ name }) => name),
)

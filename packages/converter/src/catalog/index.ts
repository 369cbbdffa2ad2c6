// Formats, pairs and options: plain data, for code that lists, prices or queues conversions and runs none.
export { type FormatName, formats } from './formats.ts'
export { type HouseStyle, usesOfStyle } from './house-style.ts'
export { type OptionField, optionFields } from './options/form-fields.ts'
export {
  allOptions,
  checkOptions,
  describedSchema,
  optionsOf,
  optionsSchema,
  outputFormat,
  secretNames,
} from './options/index.ts'
export type { JsonSchema } from './options/kinds.ts'
export type { Option, Options } from './options/option.ts'
export { checkCatalogue, findPair, internalPairs, type Lane, lanes, type Pair, pairs } from './pairs.ts'

// What is offered: plain data, for whoever lists, prices or queues conversions and runs none.
export { classifyUnlisted } from './client-pairs.ts'
export { type FormatName, formats } from './formats.ts'
export { checkCatalogue, findPair, type Lane, lanes, type Pair, pairs } from './pairs.ts'

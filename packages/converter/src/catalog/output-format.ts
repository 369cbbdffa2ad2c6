import { type Format, formats } from './formats.ts'
import { givesArchive } from './options/index.ts'
import type { Options } from './options/option.ts'
import type { Pair } from './pairs.ts'

/** How the file is named and declared that a conversion delivers: that of the pair's target, or an archive of several. */
export const outputFormat = (pair: Pair, options: Options): Pick<Format, 'extension' | 'contentType'> =>
  givesArchive(pair, options) ? { extension: 'zip', contentType: 'application/zip' } : formats[pair.to]

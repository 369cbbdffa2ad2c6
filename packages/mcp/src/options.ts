import type { ConversionOptions } from '@kiln/client'
import { z } from 'zod'

// Options of a conversion, in the tools. `list_formats` asks the service for those of a pair.

export const optionsInput = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'Options of this pair of formats, for example {"pages": "1-3"}. Call list_formats with both from and to for the options that there are. One that does not exist is refused, with the names of those that do.',
  )

export const optionsOf = (given: Record<string, unknown> | undefined): { options?: ConversionOptions } =>
  given === undefined ? {} : { options: given as ConversionOptions }

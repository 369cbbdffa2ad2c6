import type { ConversionOptions } from '@kiln/client'
import { z } from 'zod'

const options = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'Options of this pair of formats, for example {"pages": "1-3"}. Call list_formats with both from and to for the options that there are. One that does not exist is refused, with the names of those that do.',
  )

/** Options of a conversion, in the tools: the service checks them. */
export const optionsInput = options as unknown as z.ZodType<ConversionOptions | undefined>

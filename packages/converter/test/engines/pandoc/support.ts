import { readFile } from 'node:fs/promises'
import { openTestConverter, pairsOf, type TestConverter } from '@kiln/test-support/test-converter.ts'
import type { Engine } from '../../../src/engines/engine.ts'
import { createPandocEngine, type PandocOptions } from '../../../src/engines/pandoc/engine.ts'
import type { InterchangeFormat, InterchangeTarget } from '../../../src/engines/pandoc/formats.ts'

type Arguments = [input: string | Buffer, from: InterchangeFormat, to: InterchangeTarget]

export interface Options extends PandocOptions {
  signal?: AbortSignal
  /** In place of the engine. */
  instead?: Engine['convert']
}

export interface PandocConverter extends Pick<TestConverter, 'converter' | 'close'> {
  convert(...args: [...Arguments, options?: Options]): Promise<Buffer>
  failure(...args: [...Arguments, options?: Options]): Promise<string>
}

export async function openPandocConverter(): Promise<PandocConverter> {
  let options: Options = {}
  const kiln = await openTestConverter({
    pairs: pairsOf('pandoc'),
    engines: [
      (parts) => {
        const usual = createPandocEngine(parts)
        return {
          ...usual,
          convert: (run) => {
            const engine = options.limits ? createPandocEngine(parts, options) : usual
            return (options.instead ?? engine.convert)(run)
          },
        }
      },
    ],
  })
  const signalOf = ({ signal }: Options) => (signal ? { signal } : {})
  return {
    converter: kiln.converter,
    close: kiln.close,
    async convert(input, from, to, given = {}) {
      options = given
      return readFile(await kiln.convert(input, from, to, signalOf(given)))
    },
    failure(input, from, to, given = {}) {
      options = given
      return kiln.failure(input, from, to, signalOf(given))
    },
  }
}

/** A picture of one dot, of which every byte must arrive. */
export const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const dotUri = `data:image/png;base64,${dot.toString('base64')}`

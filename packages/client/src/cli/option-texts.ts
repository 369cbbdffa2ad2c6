import type { ConversionOptions, PairDescription } from '@kiln/contract'
import { UsageError } from './arguments.ts'

// `--option name=value`: the pair's JSON Schema determines whether the value is a number, a boolean, a list or a text.
// An invalid value is sent unchanged, because the service has the error message for it.

export type DescribePair = () => Promise<Pick<PairDescription, 'options'>>

export async function readOptionTexts(
  texts: readonly string[],
  describe: DescribePair,
): Promise<ConversionOptions | undefined> {
  if (texts.length === 0) return undefined
  const named = texts.map((text) => {
    const at = text.indexOf('=')
    if (at < 1)
      throw new UsageError(`--option is "${text}"; it must look like NAME=VALUE, for example pages=1-3.`)
    return [text.slice(0, at), text.slice(at + 1)] as const
  })
  const twice = named.find(([name], index) => named.findIndex(([other]) => other === name) !== index)
  if (twice) throw new UsageError(`--option ${twice[0]} is given twice.`)
  const properties = ((await describe()).options.properties ?? {}) as Record<string, { type?: string }>
  const typeOf = (name: string) => (Object.hasOwn(properties, name) ? properties[name]?.type : undefined)
  return Object.fromEntries(named.map(([name, value]) => [name, typedValue(value, typeOf(name))]))
}

function typedValue(text: string, type: string | undefined): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
    case 'boolean':
      return text === 'true' || text === 'yes' ? true : text === 'false' || text === 'no' ? false : text
    case 'array':
      return text.split(',')
    default:
      return text
  }
}

import type { ConversionPair } from '@kiln/contract'
import { formatNamed } from '../formats.ts'
import type { Kiln } from '../kiln.ts'
import { type Parsed, UsageError } from './arguments.ts'
import { exitCodes } from './exit-codes.ts'
import { type Io, printJson } from './io.ts'
import { table } from './text.ts'

/** `kiln formats`: all pairs by source format, the chosen ones with their limits and costs, or one with its options. */
export async function showFormats(kiln: Kiln, parsed: Parsed, io: Io): Promise<number> {
  const { from, to, isPair } = choiceOf(parsed)
  const all = await kiln.formats({ signal: io.signal, timeout: parsed.timeout })
  const chosen = all.filter(
    (pair) => (from === undefined || pair.from === from) && (to === undefined || pair.to === to),
  )
  if (chosen.length === 0) {
    if (parsed.flag('json')) printJson(io, { pairs: [] })
    if (!parsed.flag('quiet')) io.stderr.write('The service converts nothing of that kind.\n')
    return exitCodes.refused.code
  }
  const [only] = chosen
  const options =
    only && isPair
      ? (await kiln.describe(only.pair, { signal: io.signal, timeout: parsed.timeout })).options
      : undefined
  if (parsed.flag('json')) printJson(io, { pairs: chosen, ...(options ? { options } : {}) })
  else if (from === undefined && to === undefined) io.stdout.write(bySource(chosen))
  else io.stdout.write(oneByOne(chosen) + (options ? optionTable(options) : ''))
  return exitCodes.ok.code
}

interface Choice {
  from: string | undefined
  to: string | undefined
  /** One pair was named by its slug. */
  isPair: boolean
}

/** A pair by its slug, or by its formats. */
function choiceOf(parsed: Parsed): Choice {
  const [slug, ...more] = parsed.positionals
  const named = [parsed.text('from'), parsed.text('to')].map((each) => each && formatNamed(each))
  if (slug === undefined) return { from: named[0], to: named[1], isPair: false }
  const [from, to, ...rest] = slug.split('-to-').map(formatNamed)
  if (!from || !to || rest.length > 0 || more.length > 0 || named.some(Boolean))
    throw new UsageError('Name one pair, for example docx-to-pdf, or use --from and --to.')
  return { from, to, isPair: true }
}

interface OptionSchema {
  type?: string
  enum?: readonly unknown[]
  description?: string
}

function optionTable(options: Record<string, unknown>): string {
  const entries = Object.entries((options.properties ?? {}) as Record<string, OptionSchema>)
  if (entries.length === 0) return '\nThis pair has no options.\n'
  const rows = entries.map(([name, { type, enum: values, description = '' }]) => [
    name,
    values ? values.join(' | ') : (type ?? ''),
    description,
  ])
  return `\n${table([['OPTION', 'VALUE', 'DESCRIPTION'], ...rows])}`
}

function bySource(pairs: readonly ConversionPair[]): string {
  const sources = [...new Set(pairs.map(({ from }) => from))]
  const targetsOf = (source: string) => pairs.filter(({ from }) => from === source).map(({ to }) => to)
  return table([['FROM', 'TO'], ...sources.map((source) => [source, targetsOf(source).join(' ')])])
}

function oneByOne(pairs: readonly ConversionPair[]): string {
  const rows = pairs.map(({ from, to, label, freeMaxMB, costCredits }) => [
    from,
    to,
    `${freeMaxMB} MB`,
    String(costCredits),
    label,
  ])
  return table([['FROM', 'TO', 'AT MOST', 'CREDITS', 'LABEL'], ...rows])
}

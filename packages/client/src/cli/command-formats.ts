import type { ConversionPair } from '@kiln/contract'
import { formatNamed } from '../formats.ts'
import type { Kiln } from '../kiln.ts'
import type { Parsed } from './arguments.ts'
import { exitCodes } from './exit-codes.ts'
import { type Io, printJson } from './io.ts'
import { table } from './text.ts'

/** `kiln formats`: all pairs by source format, or the chosen ones with their caps and costs. */
export async function showFormats(kiln: Kiln, parsed: Parsed, io: Io): Promise<number> {
  const from = parsed.text('from')
  const to = parsed.text('to')
  const all = await kiln.formats({ signal: io.signal, timeout: parsed.timeout })
  const chosen = all.filter(
    (pair) =>
      (from === undefined || pair.from === formatNamed(from)) &&
      (to === undefined || pair.to === formatNamed(to)),
  )
  if (parsed.flag('json')) printJson(io, { pairs: chosen })
  else io.stdout.write(from === undefined && to === undefined ? bySource(chosen) : oneByOne(chosen))
  if (chosen.length > 0) return exitCodes.ok.code
  if (!parsed.flag('quiet')) io.stderr.write('The service converts nothing of that kind.\n')
  return exitCodes.refused.code
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

import type { UsageSnapshot } from '@kiln/contract'
import type { Kiln } from '../kiln.ts'
import type { Parsed } from './arguments.ts'
import { exitCodes } from './exit-codes.ts'
import { type Io, printJson } from './io.ts'
import { sizeText, table } from './text.ts'

/** `kiln usage`. */
export async function showUsage(kiln: Kiln, parsed: Parsed, io: Io): Promise<number> {
  const usage = await kiln.usage({ signal: io.signal, timeout: parsed.timeout })
  if (parsed.flag('json')) printJson(io, usage)
  else io.stdout.write(usageTable(usage))
  return exitCodes.ok.code
}

function usageTable({ freeTier, creditsBalance, currentWindow }: UsageSnapshot): string {
  const { jobs, bytes } = currentWindow.account
  return table([
    ['Free conversions left', `${freeTier.jobsRemaining} of ${freeTier.jobsPerMonth}`],
    ['Credits', String(creditsBalance)],
    ['Jobs this month', `${jobs} (${sizeText(bytes)})`],
    ['Since', currentWindow.windowStart],
  ])
}

import { join } from 'node:path'
import { type Converter, openConverter } from '@kiln/converter'
import { internalPairs, type Lane, lanes } from '@kiln/converter/catalog'
import type { Config } from '../config/config.ts'
import { offerOf } from '../config/setting-pairs.ts'
import type { Log } from '../log/log.ts'

/** The scratch directories of conversions, below the data folder. */
export const scratchFolder = 'work'

/** The converter of a process that serves these lanes. */
export function openConverterFor(
  {
    dataDir,
    allowUnsandboxed,
    waitingDocuments,
    fonts,
    pairs,
    prices,
  }: Pick<Config, 'dataDir' | 'allowUnsandboxed' | 'waitingDocuments' | 'fonts' | 'pairs' | 'prices'>,
  log: Log,
  served: readonly Lane[] = lanes,
): Promise<Converter> {
  return openConverter({
    log,
    scratch: join(dataDir, scratchFolder),
    cache: join(dataDir, 'cache'),
    allowUnsandboxed,
    waiting: waitingDocuments,
    fonts: fonts ?? undefined,
    pairs: [...offerOf(pairs, prices), ...internalPairs].filter(({ lane }) => served.includes(lane)),
  })
}

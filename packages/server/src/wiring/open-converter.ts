import { join } from 'node:path'
import { type Converter, openConverter } from '@kiln/converter'
import { type Lane, lanes, pairs } from '@kiln/converter/catalog'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'

/** The converter of a process that serves these lanes. */
export function openConverterFor(
  {
    dataDir,
    allowUnsandboxed,
    waitingDocuments,
  }: Pick<Config, 'dataDir' | 'allowUnsandboxed' | 'waitingDocuments'>,
  log: Log,
  served: readonly Lane[] = lanes,
): Promise<Converter> {
  return openConverter({
    log,
    scratch: join(dataDir, 'work'),
    cache: join(dataDir, 'cache'),
    allowUnsandboxed,
    waiting: waitingDocuments,
    pairs: pairs.filter(({ lane }) => served.includes(lane)),
  })
}

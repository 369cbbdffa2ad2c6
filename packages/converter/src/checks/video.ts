import { inspectInput } from '../catalog/inspect-input.ts'
import type { Pair } from '../catalog/pairs.ts'
import type { Findings } from '../report/findings.ts'

/**
 * The video engine has already opened its output and compared container, codecs and duration with its plan. Here only
 * the container is checked again, as for every output.
 */
export async function checkVideoContainer(path: string, pair: Pair): Promise<Findings> {
  await inspectInput(path, { ...pair, from: pair.to })
  return {}
}

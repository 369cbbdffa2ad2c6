import type { Pair } from '../catalog/pairs.ts'
import { sniffInput } from '../catalog/sniff-input.ts'
import type { Findings } from '../report/findings.ts'

/**
 * The video engine has already opened its output and compared container, codecs and length with what it
 * promised. Here only the container is looked at once more, as every output is.
 */
export async function checkVideoContainer(path: string, pair: Pair): Promise<Findings> {
  await sniffInput(path, { ...pair, from: pair.to })
  return {}
}

import { ConversionFailed } from '@kiln/converter/worker-pool'
import type { CompatParts } from './compat-app.ts'
import { type Caller, JobFailed } from './convert.ts'
import type * as largeJson from './large-json.ts'

type Functions = typeof largeJson

const module = import.meta.resolve('./large-json.ts')

/**
 * Runs a function on this many bytes of a caller in the worker pool; the CPU time is charged to the caller's budget.
 */
export function inPool<Name extends keyof Functions>(
  { workers, cpuBudget }: Pick<CompatParts, 'workers' | 'cpuBudget'>,
  { owner, signal }: Pick<Caller, 'owner' | 'signal'>,
  bytes: number,
  name: Name,
  ...args: Parameters<Functions[Name]>
) {
  const charge = (seconds: number) => cpuBudget.charge(owner, seconds)
  return cpuBudget.run(owner, signal, async () => {
    try {
      return await workers.forFile({ bytes, owner, signal, charge })<Functions[Name]>(module, name, ...args)
    } catch (error) {
      if (error instanceof ConversionFailed) throw new JobFailed(error.word, error.message)
      throw error
    }
  })
}

/** The same bytes as a Buffer, without a copy. */
export const asBuffer = ({ buffer, byteOffset, length }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, length)

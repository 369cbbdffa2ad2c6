import type { faultOfStyle } from '@kiln/converter/house-style'
import { ConversionFailed, createWorkerPool } from '@kiln/converter/worker-pool'

// The worker pool of an API process, for bodies and outputs whose size a caller controls. Threads start with the first
// call that needs one.

const limits = { baseSeconds: 5, memoryMegabytes: 512 }

const styleModule = import.meta.resolve('@kiln/converter/house-style')

export function openApiWorkers() {
  const pool = createWorkerPool(limits)
  const checkStyle: typeof faultOfStyle = (files) => {
    const bytes = (files.css?.length ?? 0) + (files.reference?.length ?? 0)
    const { signal } = new AbortController()
    const run = pool.forFile({ bytes, owner: 'operator', signal })
    return run<typeof faultOfStyle>(styleModule, 'faultOfStyle', files).catch((error: unknown) => {
      if (error instanceof ConversionFailed) return error.message
      throw error
    })
  }
  return { pool, faultOfStyle: checkStyle, close: pool.close }
}

import type { PoolSlot } from './process-pool.ts'
import type { PrewarmedProcess } from './sandbox/prewarmed-process.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

// Reports the CPU time of everything that runs for one conversion, whether it succeeds or fails.

export type Charge = (cpuSeconds: number) => void

export const meterSandbox = (sandbox: Sandbox, charge: Charge): Sandbox => ({
  ...sandbox,
  charge,
  async run(spec) {
    const result = await sandbox.run(spec)
    charge(result.cpuSeconds)
    return result
  },
  open: async (program, folders) => meterProcess(await sandbox.open(program, folders), charge),
})

export const meterSlot = (slot: PoolSlot, charge: Charge): PoolSlot => ({
  ...slot,
  open: async (...given) => meterProcess(await slot.open(...given), charge),
})

const meterProcess = (process: PrewarmedProcess, charge: Charge): PrewarmedProcess => ({
  ...process,
  async give(document) {
    const result = await process.give(document)
    charge(result.cpuSeconds)
    return result
  },
})

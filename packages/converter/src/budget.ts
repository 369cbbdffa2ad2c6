import type { Budget, EngineRun } from './engines/engine.ts'
import type { PoolSlot } from './process-pool.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

// The CPU time limit of a conversion depends on the size of its file. No program of an engine gets more than that.

const megabyte = 1024 * 1024

/** CPU seconds for a file of so many bytes. */
export const secondsFor = ({ seconds, secondsPerMegabyte }: Budget, bytes: number): number =>
  Math.ceil(seconds + (secondsPerMegabyte * bytes) / megabyte)

export const withBudget = (sandbox: Sandbox, cpuSeconds: number): Sandbox => ({
  ...sandbox,
  run: (spec) =>
    sandbox.run({
      ...spec,
      limits: { ...spec.limits, cpuSeconds: Math.min(spec.limits.cpuSeconds, cpuSeconds) },
    }),
})

export const openWithBudget =
  (slot: PoolSlot, cpuSeconds: number, signal: AbortSignal): EngineRun['open'] =>
  async (program) => {
    const limits = { ...program.limits, cpuSeconds: Math.min(program.limits.cpuSeconds, cpuSeconds) }
    const process = await slot.open(program, limits)
    return {
      ...process,
      give: (document) =>
        process.give({ signal, ...document, limits: { ...document.limits, cpuSeconds: limits.cpuSeconds } }),
    }
  }

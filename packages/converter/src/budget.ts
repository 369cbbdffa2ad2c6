import type { Budget, EngineRun } from './engines/engine.ts'
import type { Place } from './process-pool.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

// The processor time of a conversion follows the size of its file. No program of an engine gets more than that.

const megabyte = 1024 * 1024

/** Of processor time, for a file of so many bytes. */
export const secondsFor = ({ seconds, secondsPerMegabyte }: Budget, bytes: number): number =>
  Math.ceil(seconds + (secondsPerMegabyte * bytes) / megabyte)

export const withBudget = (sandbox: Sandbox, cpuSeconds: number): Sandbox => ({
  ...sandbox,
  run: (box) =>
    sandbox.run({
      ...box,
      limits: { ...box.limits, cpuSeconds: Math.min(box.limits.cpuSeconds, cpuSeconds) },
    }),
})

export const openWithBudget =
  (place: Place, cpuSeconds: number, signal: AbortSignal): EngineRun['open'] =>
  async (program) => {
    const limits = { ...program.limits, cpuSeconds: Math.min(program.limits.cpuSeconds, cpuSeconds) }
    const box = await place.open(program, limits)
    return {
      ...box,
      give: (document) =>
        box.give({ signal, ...document, limits: { ...document.limits, cpuSeconds: limits.cpuSeconds } }),
    }
  }

/** Number of slots over all processes. */
export const slotsIn = (lane: string, processes: readonly { facts: ProcessFacts }[]): number =>
  processes
    .flatMap(({ facts }) => facts.lanes ?? [])
    .filter((each) => each.lane === lane)
    .reduce((sum, { slots }) => sum + slots, 0)

/** One sentence for each engine that fails in every process that serves it. */
export function unhealthyEngines(processes: readonly { facts: ProcessFacts }[]): string[] {
  const working = processes.flatMap(({ facts }) => {
    const unhealthy = (facts.unhealthy ?? []).map(({ engine }) => engine)
    return (facts.engines ?? []).map(({ name }) => name).filter((name) => !unhealthy.includes(name))
  })
  const broken = processes.flatMap(({ facts }) => facts.unhealthy ?? [])
  return broken
    .filter(({ engine }, index) => {
      const isFirst = broken.findIndex((each) => each.engine === engine) === index
      return isFirst && !working.includes(engine)
    })
    .map(({ reason }) => reason)
}

/** Status report of a process and its machine. */
export interface ProcessFacts {
  memoryBytes: number
  /** Null in a process that runs no conversions. */
  lanes: { lane: string; slots: number; busy: number }[] | null
  sandbox: { level: string; user: string; passed: number; checks: number } | null
  /** Null until the first check. */
  engines: { name: string; ok: boolean; detail: string }[] | null
  /** Engines that fail on the health-check document. Processes of the previous version do not set it. */
  unhealthy?: { engine: string; reason: string; cause: string }[] | null
  /** Pre-warmed processes, by engine. */
  waiting: { engine: string; ready: number; wanted: number; taken: number; missed: number }[] | null
  /** The operator's own fonts; null when there are none. */
  fonts: { folder: string; families: readonly string[]; fault: string | null } | null
  disk: { freeBytes: number; totalBytes: number } | null
}

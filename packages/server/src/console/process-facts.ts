/** Slots of all processes together. */
export const slotsIn = (lane: string, processes: readonly { facts: ProcessFacts }[]): number =>
  processes
    .flatMap(({ facts }) => facts.lanes ?? [])
    .filter((each) => each.lane === lane)
    .reduce((sum, { slots }) => sum + slots, 0)

/** Sentences on engines that work in no process, although one serves them. */
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

/** What a process reports about itself and its machine. */
export interface ProcessFacts {
  memoryBytes: number
  /** Null in a process that does not work. */
  lanes: { lane: string; slots: number; busy: number }[] | null
  sandbox: { level: string; user: string; passed: number; checks: number } | null
  /** Null until they were looked at. */
  engines: { name: string; ok: boolean; detail: string }[] | null
  /** Those that fail on the health-check document. Not set by the version before. */
  unhealthy?: { engine: string; reason: string; cause: string }[] | null
  /** Pre-warmed processes, by engine. */
  waiting: { engine: string; ready: number; wanted: number; taken: number; missed: number }[] | null
  /** The operator's own; null without any. */
  fonts: { folder: string; families: readonly string[]; fault: string | null } | null
  disk: { freeBytes: number; totalBytes: number } | null
}

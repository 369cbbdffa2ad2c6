/** Slots of all processes together. */
export const slotsIn = (lane: string, processes: readonly { facts: ProcessFacts }[]): number =>
  processes
    .flatMap(({ facts }) => facts.lanes ?? [])
    .filter((each) => each.lane === lane)
    .reduce((sum, { slots }) => sum + slots, 0)

/** What a process tells of itself and its machine. */
export interface ProcessFacts {
  memoryBytes: number
  /** Null in a process that does not work. */
  lanes: { lane: string; slots: number; busy: number }[] | null
  sandbox: { level: string; user: string; passed: number; checks: number } | null
  /** Null until they were looked at. */
  engines: { name: string; ok: boolean; detail: string }[] | null
  /** Boxes that wait for a document, by engine. */
  waiting: { engine: string; ready: number; wanted: number; taken: number; missed: number }[] | null
  /** The operator's own; null without any. */
  fonts: { folder: string; families: readonly string[]; fault: string | null } | null
  disk: { freeBytes: number; totalBytes: number } | null
}

import type { Invariant } from '../world.ts'

export const takeoversAreQuick: Invariant = {
  name: "a killed worker's job runs elsewhere in time",
  async check({ watch, say, ended, trouble, form }) {
    const when = (at: Date) => `${((at.getTime() - trouble.beganAt.getTime()) / 1000).toFixed(0)} s`
    const seconds = watch.takeovers().map((takeover) => takeover.seconds)
    if (seconds.length > 0) {
      const sorted = seconds.toSorted((a, b) => a - b)
      const middle = sorted[Math.floor(sorted.length / 2)] as number
      say(
        `${seconds.length} jobs of killed workers ran again after ${middle.toFixed(1)} s (median), ${(sorted.at(-1) as number).toFixed(1)} s at most`,
      )
    }
    const late = watch.takeovers().filter((takeover) => takeover.seconds > form.takeoverSeconds)
    // One that was killed after its last step, or given up, needs no further run.
    const never = watch.waiting().filter(({ jobId }) => !ended.has(jobId))
    return [
      ...late.map(
        ({ jobId, seconds: waited, killedAt }) =>
          `${jobId}, whose worker was killed at ${when(killedAt)}, ran again only after ${waited.toFixed(1)} s`,
      ),
      ...never.map(({ jobId }) => `${jobId} was never run again`),
    ]
  },
}

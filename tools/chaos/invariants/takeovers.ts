import type { Invariant } from '../system-state.ts'
import type { Takeover } from '../work-watch.ts'

// A killed worker's job runs elsewhere within the promised time of the kill. Where database or storage were away
// meanwhile, no worker could have run it, and the time counts from when they were back.

export const takeoversAreQuick: Invariant = {
  name: "a killed worker's job runs elsewhere in time",
  async check({ watch, say, ended, injected, form }) {
    const when = (at: number) => `${((at - injected.beganAt.getTime()) / 1000).toFixed(0)} s`
    const takeovers = watch.takeovers()
    const through = takeovers.filter(({ throughOutage }) => throughOutage)
    const undisturbed = takeovers.filter(({ throughOutage }) => !throughOutage)
    summarize(say, undisturbed, 'after the kill')
    summarize(say, through, 'after the end of an outage')
    const longest = Math.max(0, ...through.map(({ killedAt, ranAt }) => ((ranAt ?? 0) - killedAt) / 1000))
    if (through.length > 0) say(`with the outage, the longest waited ${longest.toFixed(1)} s`)
    // One that was killed after its last step, or given up, needs no further run.
    const never = watch.waiting().filter(({ jobId }) => !ended.has(jobId))
    return [
      ...takeovers
        .filter(({ seconds }) => seconds > form.takeoverSeconds)
        .map(
          ({ jobId, seconds, killedAt, throughOutage }) =>
            `${jobId}, whose worker was killed at ${when(killedAt)}, ran again only ${seconds.toFixed(1)} s after ${throughOutage ? 'the end of an outage' : 'that'}`,
        ),
      ...never.map(({ jobId }) => `${jobId} was never run again`),
    ]
  },
}

function summarize(say: (line: string) => void, takeovers: readonly Takeover[], since: string): void {
  if (takeovers.length === 0) return
  const sorted = takeovers.map(({ seconds }) => seconds).toSorted((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)] as number
  const longest = sorted.at(-1) as number
  say(
    `${sorted.length} jobs of killed workers ran again ${middle.toFixed(1)} s ${since} (median), ${longest.toFixed(1)} s at most`,
  )
}

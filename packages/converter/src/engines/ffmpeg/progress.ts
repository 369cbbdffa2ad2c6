// ffmpeg writes `key=value` lines to stdout, one block four times a second. `out_time_us` is the written duration;
// divided by the source's duration it is the progress. The lines come from a program that reads an untrusted file, so
// the fraction is clamped and never decreases.

export interface ProgressReader {
  onLine(untrustedLine: string): void
  /** Seconds of film written, by the last report. */
  writtenSeconds(): number
}

export function createProgressReader(
  totalSeconds: number | undefined,
  onFraction: (fraction: number) => void,
): ProgressReader {
  let reached = 0
  let written = 0
  return {
    onLine(untrustedLine) {
      const microseconds = /^out_time_us=(\d{1,15})$/.exec(untrustedLine)?.[1]
      if (microseconds === undefined) return
      written = Math.max(written, Number(microseconds) / 1e6)
      if (!totalSeconds) return
      const fraction = Math.min(1, written / totalSeconds)
      if (fraction <= reached) return
      reached = fraction
      onFraction(fraction)
    },
    writtenSeconds: () => written,
  }
}

/** Lets only rising fractions through, over all stages and attempts of one conversion. */
export function onlyRising(onProgress: (fraction: number) => void): (fraction: number) => void {
  let highest = 0
  return (fraction) => {
    const bounded = Math.min(1, fraction)
    if (bounded <= highest) return
    highest = bounded
    onProgress(bounded)
  }
}

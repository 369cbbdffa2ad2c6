import type { Limits } from '../../sandbox/sandbox.ts'

// The limits of one video. The first group is checked before and after the run and passed to ffmpeg as well; the second
// is enforced by the sandbox. Reaching a limit always fails the job: ffmpeg's own `-t` and `-fs` stop writing and exit
// with 0, so callers have to check whether they took effect.

const mebibyte = 1024 * 1024

export interface MediaLimits {
  /** Longest video. */
  seconds: number
  /** Largest frame: 7680 × 4320. */
  pixels: number
  outputBytes: number
  /** All frames of a GIF together: one palette for all of them keeps them in memory, 4 bytes a pixel. */
  gifPixels: number
  wallSeconds: number
}

export const defaultMediaLimits: MediaLimits = {
  seconds: 4 * 3600,
  pixels: 7680 * 4320,
  outputBytes: 1024 * mebibyte,
  gifPixels: 120_000_000,
  wallSeconds: 60 * 60,
}

/** A file with more streams than this is an attack or an accident. */
export const maxStreams = 128

/** Reading a header takes well under a second; a file that takes longer was built to. */
export const probeLimits: Limits = {
  wallSeconds: 60,
  cpuSeconds: 60,
  memoryBytes: 4096 * mebibyte,
  processes: 64,
  fileBytes: mebibyte,
  diskBytes: 2048 * mebibyte,
  logBytes: mebibyte,
}

export const runLimits = (media: MediaLimits, threads: number): Limits => ({
  wallSeconds: media.wallSeconds,
  cpuSeconds: media.wallSeconds * threads,
  memoryBytes: 4096 * mebibyte,
  processes: 64,
  // Room above `-fs`, which looks only after a packet was written.
  fileBytes: media.outputBytes + 64 * mebibyte,
  diskBytes: media.outputBytes + 128 * mebibyte,
  logBytes: 64 * 1024,
})

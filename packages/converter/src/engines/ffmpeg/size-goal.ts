import type { Plan } from './plan.ts'

// Encoding to a maximum file size. The bit rate is divided: audio gets at most a fifth, video the remainder, and a
// picture whose quality would be too low at its size is scaled down first. The encoder keeps to its rate on average and
// to its usual quality where that takes less. An output that is slightly too large is encoded again with a lower rate.

export interface Rate {
  /** Bits a second, of the picture and of each sound track. */
  picture: number
  sound: number
  maxHeight: number | undefined
}

export const maxTries = 3

/** Reserve for headers, index and the deviation from the target rate. */
const share = 0.94
const minPicture = 16_000
const minSound = 16_000
const usualSound = 96_000
/** Bits for a pixel, under which blocks are seen. */
const readableBits = 0.04

/** Undefined: nothing watchable fits. `less` is the part of the room that a further try takes. */
export function rateFor(maxBytes: number, seconds: number, plan: Plan, less = 1): Rate | undefined {
  const bits = (maxBytes * 8 * share * less) / Math.max(seconds, 1)
  const tracks = plan.audio.length
  const sound = Math.min(usualSound, Math.max(minSound, (bits * 0.2) / Math.max(tracks, 1)))
  const picture = bits - tracks * sound
  if (picture < minPicture) return undefined
  const { width, height, framesPerSecond, isTurned } = plan.video.stream
  const scale = Math.sqrt(
    picture / (width * height * Math.min(framesPerSecond ?? 30, 60) * readableBits || 1),
  )
  const shownHeight = isTurned ? width : height
  const maxHeight = scale < 1 ? Math.max(32, Math.floor(shownHeight * scale)) : undefined
  return { picture: Math.floor(picture), sound: Math.floor(sound), maxHeight }
}

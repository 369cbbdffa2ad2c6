import type { Plan } from './plan.ts'

// A file that may have so many bytes and no more. The bits of a second are shared out: sound gets at most a fifth,
// the picture the rest, and a picture that would fall apart at its size is scaled down first. The encoder keeps to
// its share on average and to its usual quality where that takes less. What comes out a little too large is tried
// again with less.

export interface Rate {
  /** Bits a second, of the picture and of each sound track. */
  picture: number
  sound: number
  maxHeight: number | undefined
}

export const maxTries = 3

/** Headers, index and the difference between a rate and what comes of it. */
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

import type { Pair } from '../pairs.ts'
import { choice, flag, seconds, wholeNumber } from './kinds.ts'
import { type Rule, rowsFor } from './option.ts'

// Video to video and to GIF.

export interface VideoArgument {
  /** Height of the displayed picture in pixels. */
  height?: number
  /** For a GIF. */
  width?: number
  framesPerSecond?: number
  quality?: 'low' | 'medium' | 'high'
  maxBytes?: number
  /** In seconds of the source. */
  start?: number
  end?: number
  silent?: boolean
}

const row = rowsFor<VideoArgument>()
const all = ({ engine }: Pair) => engine === 'ffmpeg'
const gif = (pair: Pair) => all(pair) && pair.to === 'gif'
const film = (pair: Pair) => all(pair) && pair.to !== 'gif'

const longestSeconds = 4 * 3600

export const videoOptions = [
  row({
    name: 'height',
    label: 'Height in pixels',
    appliesTo: film,
    kind: wholeNumber(16, 4320),
    description: 'Largest height in pixels; the picture is scaled down to it.',
    default: 'That of the source.',
    example: 720,
    argument: (height) => ({ height }),
  }),
  row({
    name: 'quality',
    label: 'Video quality',
    appliesTo: film,
    kind: choice('low', 'medium', 'high'),
    description: 'Quality of the picture, which is always encoded.',
    default: 'A picture that fits the target is copied; others are encoded with `medium`.',
    example: 'low',
    argument: (quality) => ({ quality }),
  }),
  row({
    name: 'maxBytes',
    label: 'Largest file size in bytes',
    appliesTo: film,
    kind: wholeNumber(10_000, 1024 ** 3),
    description: 'Largest size of the file; the picture is scaled down if needed.',
    default: 'Follows from the quality.',
    example: 8_000_000,
    argument: (maxBytes) => ({ maxBytes }),
  }),
  row({
    name: 'start',
    label: 'Start at second',
    appliesTo: all,
    kind: seconds(longestSeconds),
    description: 'Starts at this second of the source; the picture is then encoded.',
    default: 'The start.',
    example: 1.5,
    argument: (start) => ({ start }),
  }),
  row({
    name: 'end',
    label: 'End at second',
    appliesTo: all,
    kind: seconds(longestSeconds),
    description: 'Ends at this second of the source.',
    default: 'The end.',
    example: 12,
    argument: (end) => ({ end }),
  }),
  row({
    name: 'sound',
    label: 'Sound',
    appliesTo: film,
    kind: flag,
    description: '`false` leaves the sound out.',
    default: 'All tracks are kept.',
    example: false,
    omits: (wanted) => (wanted ? [] : ['sound-tracks']),
    argument: (wanted) => (wanted ? {} : { silent: true }),
  }),
  row({
    name: 'width',
    label: 'Width in pixels',
    appliesTo: gif,
    kind: wholeNumber(16, 1920),
    description: 'Largest width in pixels; the picture is scaled down to it.',
    default: '640 pixels on the longer side, less for long videos.',
    example: 320,
    argument: (width) => ({ width }),
  }),
  row({
    name: 'framesPerSecond',
    label: 'Frames per second',
    appliesTo: gif,
    kind: wholeNumber(1, 50),
    description: 'Largest number of frames per second.',
    default: '16, fewer for long videos.',
    example: 10,
    argument: (framesPerSecond) => ({ framesPerSecond }),
  }),
]

export const videoRules: readonly Rule[] = [
  {
    isViolatedBy: ({ start, end }) => start !== undefined && end !== undefined && end <= start,
    message: 'The option `end` must be later than `start`.',
  },
  {
    isViolatedBy: ({ quality, maxBytes }) => quality !== undefined && maxBytes !== undefined,
    message:
      'The options `quality` and `maxBytes` both decide how much of the picture is kept. Give one of them.',
  },
]

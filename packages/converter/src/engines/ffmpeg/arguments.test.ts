import { describe, expect, it } from 'vitest'
import {
  film,
  pictureStream,
  soundStream,
  subtitleStream,
} from '../../../test/engines/ffmpeg/example-streams.ts'
import { decoderArguments, outputArguments } from './arguments.ts'
import { defaultMediaLimits } from './limits.ts'
import type { MediaInfo } from './media-info.ts'
import { makePlan } from './plan.ts'
import { type TargetName, targets } from './targets.ts'

function argumentsFor(info: MediaInfo, to: TargetName, seconds = 10): string {
  const plan = makePlan(info, 'matroska', targets[to], 'copy-what-fits')
  const options = { limits: defaultMediaLimits, threads: 2, seconds, isAnimation: false, asked: {} }
  return ` ${outputArguments(plan, targets[to], options).join(' ')} `
}

describe('outputArguments', () => {
  it('maps exactly the planned streams, by number', () => {
    const text = argumentsFor(
      film(pictureStream({ index: 3 }), soundStream({ index: 0 }), subtitleStream('subrip', 5)),
      'mp4',
    )
    expect(text.match(/-map \S+/g)).toEqual(['-map 0:3', '-map 0:0', '-map 0:5'])
    expect(text).toContain(' -c:v:0 copy ')
    expect(text).toContain(' -c:s:0 mov_text ')
  })

  it('always carries both guards, and the index in front for MP4 and MOV', () => {
    for (const to of ['mp4', 'mov', 'mkv', 'webm', 'gif'] as const) {
      const text = argumentsFor(film(pictureStream()), to)
      expect(text).toContain(' -t 14400 ')
      expect(text).toContain(' -fs 1073741824 ')
      expect(text.includes('+faststart')).toBe(to === 'mp4' || to === 'mov')
    }
  })

  it('names HEVC as Apple does, in QuickTime containers only', () => {
    const hevc = film(pictureStream({ codec: 'hevc' }))
    expect(argumentsFor(hevc, 'mp4')).toContain('-tag:v:0 hvc1')
    expect(argumentsFor(hevc, 'mkv')).not.toContain('-tag')
  })

  it('keeps frame times when it encodes', () => {
    expect(argumentsFor(film(pictureStream({ codec: 'vp9' })), 'mp4')).toContain('-fps_mode:v:0 vfr')
  })

  it('encodes long films faster rather than not at all', () => {
    const film1080 = film(pictureStream({ codec: 'vp9', width: 1920, height: 1080 }))
    const presets = [60, 800, 3600, 14_000].map(
      (seconds) => /-preset (\S+)/.exec(argumentsFor(film1080, 'mp4', seconds))?.[1],
    )
    expect(presets).toEqual(['veryfast', 'superfast', 'ultrafast', 'ultrafast'])
    const speeds = [0.2, 60, 3600].map(
      (seconds) => /-cpu-used (\d)/.exec(argumentsFor(film(pictureStream()), 'webm', seconds))?.[1],
    )
    expect(speeds).toEqual(['4', '6', '8'])
  })

  it('gives each sound track its own encoder', () => {
    const text = argumentsFor(
      film(pictureStream(), soundStream(), soundStream({ index: 2, codec: 'ac3', channels: 6 })),
      'mp4',
    )
    expect(text).toContain(' -c:a:0 copy ')
    expect(text).toMatch(/ -c:a:1 aac -filter:a:1 aformat=\S+ -b:a:1 416k /)
  })

  it('refuses a GIF of a film', () => {
    expect(() => argumentsFor(film(pictureStream()), 'gif', 3600)).toThrow(/too long for a GIF/)
  })
})

describe('decoderArguments', () => {
  it('reads the transparent part of a WebM only when the picture is encoded', () => {
    const clear = film(pictureStream({ index: 2, codec: 'vp9', hasAlphaBeside: true }))
    const planFor = (to: TargetName) => makePlan(clear, 'matroska', targets[to], 'copy-what-fits')
    expect(decoderArguments(planFor('mp4'))).toEqual(['-c:2', 'libvpx-vp9'])
    expect(decoderArguments(planFor('webm'))).toEqual([])
  })
})

it('gives an animation an even pace within reason', () => {
  const paces = [1, 12.5, 100].map((framesPerSecond) => {
    const plan = makePlan(
      film(pictureStream({ codec: 'gif', framesPerSecond })),
      'gif',
      targets.mp4,
      'copy-what-fits',
    )
    const options = { asked: {}, limits: defaultMediaLimits, threads: 2, seconds: 3, isAnimation: true }
    return /fps=(\d+)/.exec(outputArguments(plan, targets.mp4, options).join(' '))?.[1]
  })
  expect(paces).toEqual(['10', '13', '50'])
})

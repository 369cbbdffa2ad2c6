import { expect, it } from 'vitest'
import { isAllowed } from './codecs.ts'
import { defaultMediaLimits } from './limits.ts'
import { untrustedInput } from './options.ts'

const argumentOf = (args: readonly string[], option: string) => args[args.indexOf(option) + 1]

it.each(['ffmpeg', 'ffprobe'] as const)(
  'leaves %s one demuxer, local files and known decoders',
  (program) => {
    const args = untrustedInput(program, 'mov', defaultMediaLimits, 2)
    expect(argumentOf(args, '-f')).toBe('mov')
    expect(argumentOf(args, '-format_whitelist')).toBe('mov')
    expect(argumentOf(args, '-protocol_whitelist')).toBe('file')
    expect(argumentOf(args, '-max_pixels')).toBe('33177600')
    const decoders = argumentOf(args, '-codec_whitelist')?.split(',') ?? []
    expect(decoders).toEqual(expect.arrayContaining(['h264', 'libdav1d', 'amrnb', 'dca']))
    for (const unknown of ['magicyuv', 'ffv1', 'exr', 'tiff', 'hls']) expect(decoders).not.toContain(unknown)
  },
)

it('lets only ffprobe open decoders of streams that are never decoded', () => {
  const listFor = (program: 'ffmpeg' | 'ffprobe') =>
    argumentOf(untrustedInput(program, 'mov', defaultMediaLimits, 2), '-codec_whitelist')?.split(',') ?? []
  expect(listFor('ffprobe')).toContain('pgssub')
  expect(listFor('ffmpeg')).not.toContain('pgssub')
  expect(listFor('ffmpeg')).not.toContain('dvdsub')
})

it('knows a codec only as what it is', () => {
  expect(isAllowed('h264', 'video')).toBe(true)
  expect(isAllowed('h264', 'audio')).toBe(false)
  expect(isAllowed('toString', 'video')).toBe(false)
})

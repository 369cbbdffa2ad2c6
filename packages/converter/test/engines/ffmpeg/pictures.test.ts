import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type FilmConverter,
  firstPixel,
  frameTimes,
  h264,
  inspect,
  openFilmConverter,
  testPicture,
} from './support.ts'

// Pictures that are not simply progressive, upright, even-sized, 8-bit and at a constant pace.

let kiln: FilmConverter

beforeAll(async () => {
  kiln = await openFilmConverter()
})
afterAll(() => kiln.close())

const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'] as const

describe('size and shape', () => {
  it('makes odd sizes even', async () => {
    const input = await kiln.film('odd.webm', ...testPicture(1, '101x75'), ...vp9)
    const { video } = await inspect((await kiln.convert(input, 'webm', 'mp4')).path)
    expect([video.width, video.height]).toEqual([100, 74])
  })

  it('keeps the shape of pixels that are not square', async () => {
    const input = await kiln.film(
      'wide.mpeg',
      ...testPicture(1, '352x288', 25),
      '-c:v',
      'mpeg2video',
      '-aspect',
      '16:9',
      '-f',
      'mpeg',
    )
    const { video } = await inspect((await kiln.convert(input, 'mpeg', 'mp4')).path)
    expect(video.sample_aspect_ratio).toBe('16:11')
  })

  it('shows pixels that are not square in their true shape in a GIF', async () => {
    const input = await kiln.film('wide.mkv', ...testPicture(1, '160x160'), ...h264, '-aspect', '2:1')
    const { video } = await inspect((await kiln.convert(input, 'mkv', 'gif')).path)
    expect([video.width, video.height]).toEqual([320, 160])
  })

  it('keeps a GIF within its largest side and pace', async () => {
    const input = await kiln.film('tall.mp4', ...testPicture(1, '720x1280', 60), ...h264)
    const { path } = await kiln.convert(input, 'mp4', 'gif')
    const { video } = await inspect(path)
    expect([video.width, video.height]).toEqual([360, 640])
    expect(Number(video.nb_read_frames)).toBeLessThanOrEqual(18)
    expect((await readFile(path)).includes(Buffer.from('NETSCAPE2.0\x03\x01\x00\x00', 'latin1'))).toBe(true)
  })
})

describe('a turned picture', () => {
  /** Left half red, right half blue, with a rotation of 90° in the header. */
  async function turned(name: string): Promise<string> {
    const half = (colour: string) => ['-f', 'lavfi', '-i', `color=${colour}:size=80x120:d=1:r=10`]
    const path = await kiln.film(
      name,
      ...half('red'),
      ...half('blue'),
      '-filter_complex',
      '[0][1]hstack',
      ...h264,
    )
    const bytes = await readFile(path)
    // Version 0 of the track header: the matrix is 40 bytes after the end of its name.
    const matrix = bytes.indexOf('tkhd') + 4 + 40
    const values = [0, 0x10000, 0, -0x10000, 0, 0, 120 * 0x10000, 0, 0x40000000]
    for (const [place, value] of values.entries()) bytes.writeInt32BE(value, matrix + place * 4)
    await writeFile(path, bytes)
    return path
  }

  it('keeps the note where it is copied', async () => {
    const input = await turned('turned.mov')
    const { video } = await inspect((await kiln.convert(input, 'mov', 'mp4')).path)
    expect([video.width, video.height]).toEqual([160, 120])
    expect(Math.abs(video.side_data_list?.[0]?.rotation ?? 0)).toBe(90)
  })

  it.each(['webm', 'mkv', 'gif'] as const)('is turned upright in %s', async (to) => {
    const { path } = await kiln.convert(await turned(`turned-${to}.mp4`), 'mp4', to)
    const { video } = await inspect(path)
    expect([video.width, video.height]).toEqual([120, 160])
    expect(video.side_data_list ?? []).toEqual([])
    // Rotated clockwise, the left half is now on top.
    const [top, bottom] = [await firstPixel(path, 60, 20), await firstPixel(path, 60, 140)]
    expect([(top[0] ?? 0) > 150, (bottom[2] ?? 0) > 150]).toEqual([true, true])
  })
})

describe('time', () => {
  it('keeps the times of frames that come at no constant pace', async () => {
    const input = await kiln.film(
      'uneven.webm',
      ...testPicture(3, '160x120', 30),
      '-vf',
      "select='not(mod(n,7))+lt(n,20)'",
      '-fps_mode',
      'vfr',
      ...vp9,
    )
    const before = await frameTimes(input)
    const after = await frameTimes((await kiln.convert(input, 'webm', 'mp4')).path)
    expect(after.length).toBe(before.length)
    for (const [frame, time] of after.entries()) expect(time).toBeCloseTo(before[frame] ?? -1, 1)
  })

  it('converts a recording whose header has no duration', async () => {
    const input = await kiln.film('live.webm', ...testPicture(3), ...vp9, '-live', '1')
    expect((await inspect(input)).seconds).toBeNaN()
    const { path, progress } = await kiln.convert(input, 'webm', 'mp4')
    expect((await inspect(path)).seconds).toBeCloseTo(3, 0)
    expect(progress.at(-1)).toBe(1)
  })

  it('accepts a long last frame', async () => {
    const moving = await kiln.film(
      'moving.mp4',
      ...[...testPicture(2, '160x120', 10), ...h264, '-bf', '0', '-video_track_timescale', '16000'],
    )
    const input = await kiln.film(
      'still.mp4',
      '-i',
      moving,
      '-c',
      'copy',
      '-bsf:v',
      'setts=duration=if(eq(N\\,19)\\,96000\\,DURATION)',
    )
    expect((await inspect(input)).seconds).toBeGreaterThan(7)
    expect(
      Number((await inspect((await kiln.convert(input, 'mp4', 'webm')).path)).video.nb_read_frames),
    ).toBe(20)
  })

  it('keeps how long the last frame of a GIF stands', async () => {
    const input = await kiln.film('hold.gif', ...testPicture(1, '101x75', 10), '-final_delay', '300')
    const film = await inspect((await kiln.convert(input, 'gif', 'mp4')).path)
    expect(film.seconds).toBeGreaterThan(3.5)
    expect([film.video.width, film.video.height]).toEqual([100, 74])
  })

  it('shows the transparent parts of a GIF white', async () => {
    const input = await kiln.film(
      'clear.gif',
      '-f',
      'lavfi',
      '-i',
      'color=red:size=100x100:d=1:r=10,format=rgba',
      '-filter_complex',
      "[0]geq=r=255:g=0:b=0:a='if(lt(X,50),255,0)',split[a][b];[a]palettegen[p];[b][p]paletteuse",
    )
    const { path } = await kiln.convert(input, 'gif', 'mp4')
    const [left, right] = [await firstPixel(path, 20, 50), await firstPixel(path, 80, 50)]
    expect([left[0], left[1]].map((value) => (value ?? 0) > 128)).toEqual([true, false])
    expect(right.every((value) => value > 235)).toBe(true)
  })
})

describe('depth and fields', () => {
  it('brings 10-bit H.264 to 8 bits', async () => {
    const input = await kiln.film(
      'deep.mkv',
      ...testPicture(1),
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p10le',
    )
    const { video } = await inspect((await kiln.convert(input, 'mkv', 'mp4')).path)
    expect([video.codec_name, video.pix_fmt]).toEqual(['h264', 'yuv420p'])
  })

  it('maps HDR to the standard range', async () => {
    const input = await kiln.film(
      'hdr.webm',
      ...testPicture(1),
      ...[...vp9, '-pix_fmt', 'yuv420p10le', '-profile:v', '2'],
      '-color_trc',
      'smpte2084',
      '-color_primaries',
      'bt2020',
      '-colorspace',
      'bt2020nc',
    )
    const { video } = await inspect((await kiln.convert(input, 'webm', 'mp4')).path)
    expect([video.pix_fmt, video.color_transfer]).toEqual(['yuv420p', 'bt709'])
  })

  it('deinterlaces what it encodes', async () => {
    const input = await kiln.film(
      'fields.mpeg',
      ...testPicture(1, '352x288', 50),
      ...[
        '-vf',
        'interlace=scan=tff',
        '-c:v',
        'mpeg2video',
        '-flags',
        '+ildct+ilme',
        '-top',
        '1',
        '-f',
        'mpeg',
      ],
    )
    const { video } = await inspect((await kiln.convert(input, 'mpeg', 'mp4')).path)
    expect(video.field_order).toBe('progressive')
    expect(Number(video.nb_read_frames)).toBeGreaterThanOrEqual(24)
  })
})

it('reads a MOV of PNG frames, and shows its transparent parts white', async () => {
  const half = "color=red:size=100x100:d=1:r=10,format=rgba,geq=r=255:g=0:b=0:a='if(lt(X,50),255,0)'"
  const input = await kiln.film('frames.mov', '-f', 'lavfi', '-i', half, '-c:v', 'png')
  const { path } = await kiln.convert(input, 'mov', 'mp4')
  const [left, right] = [await firstPixel(path, 20, 50), await firstPixel(path, 80, 50)]
  expect([left[0], left[1]].map((value) => (value ?? 0) > 128)).toEqual([true, false])
  expect(right.every((value) => value > 235)).toBe(true)
})

it('shows the transparent parts of a WebM white', async () => {
  const input = await kiln.film(
    'clear.webm',
    ...[
      '-f',
      'lavfi',
      '-i',
      "color=red:size=100x100:d=1:r=10,format=yuva420p,geq=lum=80:cb=90:cr=240:a='if(lt(X,50),255,0)'",
    ],
    '-c:v',
    'libvpx-vp9',
    '-pix_fmt',
    'yuva420p',
    '-auto-alt-ref',
    '0',
  )
  const { path } = await kiln.convert(input, 'webm', 'mp4')
  const [left, right] = [await firstPixel(path, 20, 50), await firstPixel(path, 80, 50)]
  expect([left[0], left[1]].map((value) => (value ?? 0) > 128)).toEqual([true, false])
  expect(right.every((value) => value > 235)).toBe(true)
})

it('takes the smallest picture there is', async () => {
  const input = join(kiln.folder, 'dot.gif')
  await writeFile(input, Buffer.from('R0lGODdhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'))
  const { video } = await inspect((await kiln.convert(input, 'gif', 'mp4')).path)
  expect([video.width, video.height]).toEqual([2, 2])
})

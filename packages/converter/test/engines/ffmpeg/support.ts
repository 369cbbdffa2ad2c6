import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openTestConverter, pairsOf, type TestConverter } from '@kiln/test-support/test-converter.ts'
import type { FormatName } from '../../../src/catalog/pairs.ts'
import { createFfmpegEngine, type FfmpegOptions } from '../../../src/engines/ffmpeg/engine.ts'
import { stubDirectory, stubsFit } from '../../../src/engines/ffmpeg/stub-libraries.ts'
import type { Sandbox, SandboxSpec } from '../../../src/sandbox/sandbox.ts'

// Makes small films with ffmpeg's own test pictures, converts them in the real sandbox and looks at what came
// out with the bare ffprobe and ffmpeg.

const run = promisify(execFile)

/** Without the sandbox, but with stub libraries for what no test uses: hundreds of processes start. */
export const startsSoon = { env: { ...process.env, LD_LIBRARY_PATH: stubsFit() ? stubDirectory : '' } }

/** Some films are made with encoders that Kiln does not use and stubs. */
const encodesWithStub = (args: readonly string[]) => args.includes('libx265') || args.includes('libtheora')

export interface Converted {
  path: string
  progress: number[]
  seconds: number
}

export interface FilmConverter extends Pick<TestConverter, 'converter' | 'folder' | 'close'> {
  /** Makes a film; the arguments are ffmpeg's, the output file is added. */
  film(name: string, ...args: string[]): Promise<string>
  convert(input: string, from: FormatName, to: FormatName, options?: ConvertOptions): Promise<Converted>
  /** `word: sentence` of the failure, or an error if it did not fail. */
  failure(input: string, from: FormatName, to: FormatName, options?: ConvertOptions): Promise<string>
}

export interface ConvertOptions extends FfmpegOptions {
  signal?: AbortSignal
  /** Called with every sandbox specification before it is built, to inspect or change it. */
  change?: (spec: SandboxSpec) => SandboxSpec
}

export async function openFilmConverter(): Promise<FilmConverter> {
  let options: ConvertOptions = {}
  const kiln = await openTestConverter({
    pairs: pairsOf('ffmpeg'),
    engines: [
      (parts) => {
        const usual = createFfmpegEngine(parts)
        return {
          ...usual,
          convert: (given) => {
            if (Object.keys(options).every((name) => name === 'signal')) return usual.convert(given)
            const sandbox = options.change ? withChange(given.sandbox, options.change) : given.sandbox
            return createFfmpegEngine({ ...parts, sandbox }, options).convert({ ...given, sandbox })
          },
        }
      },
    ],
  })
  const signalOf = ({ signal }: ConvertOptions) => (signal ? { signal } : {})
  return {
    converter: kiln.converter,
    folder: kiln.folder,
    close: kiln.close,
    async film(name, ...args) {
      const path = join(kiln.folder, name)
      await run(
        'ffmpeg',
        ['-nostdin', '-v', 'error', '-y', ...args, path],
        encodesWithStub(args) ? {} : startsSoon,
      )
      return path
    },
    async convert(input, from, to, given = {}) {
      options = given
      const progress: number[] = []
      const onProgress = (fraction: number) => progress.push(fraction)
      const started = performance.now()
      const path = await kiln.convert({ path: input }, from, to, { ...signalOf(given), onProgress })
      return { path, progress, seconds: (performance.now() - started) / 1000 }
    },
    failure(input, from, to, given = {}) {
      options = given
      return kiln.failure({ path: input }, from, to, signalOf(given))
    },
  }
}

/**
 * The sandbox, but every specification is passed through `change` first. Programs are not pre-warmed, so that their
 * arguments are visible.
 */
export const withChange = (sandbox: Sandbox, change: (spec: SandboxSpec) => SandboxSpec): Sandbox => ({
  level: sandbox.level,
  run: (spec) => sandbox.run(change(spec)),
  open: () => Promise.reject(new Error('not loaded ahead')),
})

export interface Stream {
  index: number
  codec_type: string
  codec_name: string
  codec_tag_string: string
  profile?: string
  width?: number
  height?: number
  pix_fmt?: string
  field_order?: string
  sample_aspect_ratio?: string
  color_transfer?: string
  channels?: number
  avg_frame_rate: string
  nb_read_frames?: string
  disposition: { default: number; attached_pic: number }
  tags?: Record<string, string>
  side_data_list?: { rotation?: number }[]
}

export interface Film {
  streams: Stream[]
  video: Stream
  audio: Stream[]
  subtitles: Stream[]
  container: string
  seconds: number
  tags: Record<string, string>
  chapters: { tags?: { title?: string } }[]
  complaints: string
}

/** The properties of a finished file according to ffprobe, and all its messages after decoding the whole file. */
export async function inspect(path: string): Promise<Film> {
  const { stdout, stderr } = await run(
    'ffprobe',
    [
      '-v',
      'warning',
      '-count_frames',
      '-show_streams',
      '-show_format',
      '-show_chapters',
      '-of',
      'json',
      path,
    ],
    { ...startsSoon, maxBuffer: 1 << 24 },
  )
  const { streams, format, chapters } = JSON.parse(stdout) as {
    streams: Stream[]
    format: { format_name: string; duration: string; tags?: Record<string, string> }
    chapters: Film['chapters']
  }
  const video = streams.find(
    ({ codec_type, disposition }) => codec_type === 'video' && !disposition.attached_pic,
  )
  if (!video) throw new Error('no picture')
  return {
    streams,
    video,
    audio: streams.filter(({ codec_type }) => codec_type === 'audio'),
    subtitles: streams.filter(({ codec_type }) => codec_type === 'subtitle'),
    container: format.format_name,
    seconds: Number(format.duration),
    tags: format.tags ?? {},
    chapters,
    complaints: stderr,
  }
}

/** Time stamps of all frames of the picture. */
export async function frameTimes(path: string): Promise<number[]> {
  const shown = ['-show_entries', 'packet=pts_time', '-of', 'csv=print_section=0']
  const { stdout } = await run(
    'ffprobe',
    ['-v', 'error', '-select_streams', 'v:0', ...shown, path],
    startsSoon,
  )
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(Number.parseFloat)
    .sort((a, b) => a - b)
}

/** The output of ffmpeg for this file with these arguments. */
async function outputOf(path: string, ...args: string[]): Promise<Buffer> {
  const { stdout } = await run('ffmpeg', ['-nostdin', '-v', 'error', '-i', path, ...args, 'pipe:1'], {
    ...startsSoon,
    encoding: 'buffer',
  })
  return stdout
}

/** Hash over the coded picture, independent of the container. */
export async function pictureHash(path: string): Promise<string> {
  const coded = ['-map', '0:v:0', '-c', 'copy', '-bsf:v', 'h264_mp4toannexb']
  return String(await outputOf(path, ...coded, '-f', 'md5')).trim()
}

/** Colour of one pixel of the first frame, as [red, green, blue]. */
export async function firstPixel(path: string, x: number, y: number): Promise<number[]> {
  const filter = `crop=2:2:${x}:${y},format=rgb24`
  const stdout = await outputOf(path, '-frames:v', '1', '-vf', filter, '-f', 'rawvideo')
  return [...stdout.subarray(0, 3)]
}

/** Small: start and end of a film take longer than its picture, and VP9 three times as long at twice the size. */
export const testPicture = (seconds: number, size = '160x120', rate = 15) =>
  ['-f', 'lavfi', '-i', `testsrc2=duration=${seconds}:size=${size}:rate=${rate}`] as const
export const testSound = (seconds: number) =>
  ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`] as const
export const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'] as const
/** VP8 as fast as it can be made: its usual pace takes a second for two of film. */
export const vp8 = ['-c:v', 'libvpx', '-b:v', '400k', '-deadline', 'realtime', '-cpu-used', '16'] as const

const subtitleText =
  '1\n00:00:00,200 --> 00:00:01,000\nGood morning\n\n2\n00:00:01,200 --> 00:00:01,900\nGood night\n'

export async function subtitleFile(folder: string): Promise<string> {
  const path = join(folder, 'words.srt')
  await writeFile(path, subtitleText)
  return path
}

import {
  ADTS,
  AdtsOutputFormat,
  type AudioCodec,
  BlobSource,
  BufferTarget,
  Conversion,
  canEncodeAudio,
  FLAC,
  FlacOutputFormat,
  Input,
  type InputAudioTrack,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OGG,
  OggOutputFormat,
  Output,
  type OutputFormat,
  QTFF,
  QUALITY_HIGH,
  WAVE,
  WavOutputFormat,
  WEBM,
} from 'mediabunny'
import { BrowserConversionError, damaged } from '../failure.ts'
import { maxUnpackedBytes } from '../limits.ts'
import type { ConversionRequest } from '../request.ts'

// Containers by mediabunny, codecs by the browser (WebCodecs). An encoder that the browser lacks is loaded as
// WebAssembly. Sound that already has the codec of the target is copied without loss.

interface Writer {
  format: () => OutputFormat
  codec: AudioCodec
  mediaType: string
}

const writers: Readonly<Record<string, Writer>> = {
  mp3: { format: () => new Mp3OutputFormat(), codec: 'mp3', mediaType: 'audio/mpeg' },
  wav: { format: () => new WavOutputFormat(), codec: 'pcm-s16', mediaType: 'audio/wav' },
  flac: { format: () => new FlacOutputFormat(), codec: 'flac', mediaType: 'audio/flac' },
  m4a: { format: () => new Mp4OutputFormat(), codec: 'aac', mediaType: 'audio/mp4' },
  aac: { format: () => new AdtsOutputFormat(), codec: 'aac', mediaType: 'audio/aac' },
  ogg: { format: () => new OggOutputFormat(), codec: 'opus', mediaType: 'audio/ogg' },
  opus: { format: () => new OggOutputFormat(), codec: 'opus', mediaType: 'audio/ogg' },
}

/** Not the playlists of HLS, which would load other files. */
const containers = [MP3, WAVE, FLAC, OGG, ADTS, MP4, QTFF, MATROSKA, WEBM, MPEG_TS]

export async function convert(
  { files, source, to }: ConversionRequest,
  onProgress: (fraction: number) => void,
): Promise<Blob> {
  const writer = writers[to] as Writer
  const input = new Input({ source: new BlobSource(files[0] as Blob), formats: containers })
  const track = await audioTrack(input, source)
  const codec = await track.getCodec()
  await checkLength(track, source)
  if (codec !== writer.codec) await provideEncoder(writer.codec)
  const target = new BufferTarget()
  const output = new Output({ format: writer.format(), target })
  const conversion = await Conversion.init({
    input,
    output,
    tracks: 'primary',
    video: { discard: true },
    audio: audioOptions(writer.codec, codec),
    showWarnings: false,
  })
  if (!conversion.isValid) {
    const reason = codec === null ? 'a codec that is not known' : `the codec ${codec}`
    throw new BrowserConversionError('unsupported', `This browser does not convert sound with ${reason}.`)
  }
  conversion.onProgress = onProgress
  await conversion.execute().catch(() => {
    throw damaged(source)
  })
  return new Blob([target.buffer as ArrayBuffer], { type: writer.mediaType })
}

/** Sound that was compressed with loss has no more than 16 bits to keep. */
function audioOptions(codec: AudioCodec, source: AudioCodec | null) {
  if (codec === source) return {}
  const isLossless = source?.startsWith('pcm-') || source === 'flac'
  if (codec === 'flac') return isLossless ? { codec } : { codec, sampleFormat: 's16' as const }
  return { codec, quality: QUALITY_HIGH }
}

async function audioTrack(input: Input, source: string): Promise<InputAudioTrack> {
  const track = await input.getPrimaryAudioTrack().catch(() => {
    throw damaged(source)
  })
  if (!track) throw new BrowserConversionError('unsupported', 'The file has no sound.')
  return track
}

/** The output is in memory, at most as large as without compression. */
async function checkLength(track: InputAudioTrack, source: string): Promise<void> {
  const seconds = await track.computeDuration().catch(() => {
    throw damaged(source)
  })
  const [channels, rate] = [await track.getNumberOfChannels(), await track.getSampleRate()]
  if (seconds * channels * rate * 2 > maxUnpackedBytes) {
    const minutes = Math.round(seconds / 60)
    throw new BrowserConversionError(
      'too-large',
      `The sound is ${minutes} minutes long, more than a browser can hold.`,
    )
  }
}

async function provideEncoder(codec: AudioCodec): Promise<void> {
  if (codec.startsWith('pcm-') || (await canEncodeAudio(codec))) return
  if (codec === 'mp3') (await import('@mediabunny/mp3-encoder')).registerMp3Encoder()
  if (codec === 'aac') (await import('@mediabunny/aac-encoder')).registerAacEncoder()
  if (codec === 'flac') (await import('@mediabunny/flac-encoder')).registerFlacEncoder()
}

// The decoders that may see a user's bytes. ffmpeg has more than five hundred, most of them for formats
// that users do not upload, and memory errors are found in them every month. A codec that is not here is
// refused by name. `decoders` are ffmpeg's names of the programs that read the codec, where they differ
// from the codec's own name.

export type StreamKind = 'video' | 'audio' | 'subtitle'

interface Codec {
  kind: StreamKind
  decoders?: readonly string[]
}

const video = (...decoders: string[]): Codec =>
  decoders.length > 0 ? { kind: 'video', decoders } : { kind: 'video' }
const audio = (...decoders: string[]): Codec =>
  decoders.length > 0 ? { kind: 'audio', decoders } : { kind: 'audio' }
const subtitle = (...decoders: string[]): Codec =>
  decoders.length > 0 ? { kind: 'subtitle', decoders } : { kind: 'subtitle' }

const allowedCodecs: Readonly<Record<string, Codec>> = {
  h264: video(),
  hevc: video(),
  // libvpx decodes the alpha channel, which the built-in decoders ignore.
  vp8: video('vp8', 'libvpx'),
  vp9: video('vp9', 'libvpx-vp9'),
  av1: video('libdav1d', 'av1'),
  mpeg4: video(),
  mpeg1video: video(),
  mpeg2video: video(),
  msmpeg4v1: video(),
  msmpeg4v2: video(),
  msmpeg4v3: video('msmpeg4'),
  wmv1: video(),
  wmv2: video(),
  wmv3: video(),
  vc1: video(),
  flv1: video('flv'),
  theora: video(),
  mjpeg: video(),
  prores: video(),
  h263: video(),
  svq1: video(),
  svq3: video(),
  dvvideo: video(),
  dnxhd: video(),
  vp6: video(),
  vp6f: video(),
  vp6a: video(),
  cinepak: video(),
  qtrle: video(),
  rawvideo: video(),
  gif: video(),
  // From editing programs: animations with transparency, and masters.
  png: video(),
  jpeg2000: video('jpeg2000', 'libopenjpeg'),
  rv10: video(),
  rv20: video(),
  rv30: video(),
  rv40: video(),
  aac: audio(),
  aac_latm: audio(),
  mp3: audio('mp3', 'mp3float'),
  mp2: audio('mp2', 'mp2float'),
  ac3: audio(),
  eac3: audio(),
  opus: audio('opus', 'libopus'),
  vorbis: audio(),
  flac: audio(),
  alac: audio(),
  wmav1: audio(),
  wmav2: audio(),
  wmapro: audio(),
  pcm_s16le: audio(),
  pcm_s16be: audio(),
  pcm_u8: audio(),
  pcm_s24le: audio(),
  pcm_s24be: audio(),
  pcm_s32le: audio(),
  pcm_s32be: audio(),
  pcm_f32le: audio(),
  pcm_f32be: audio(),
  pcm_s8: audio(),
  pcm_mulaw: audio(),
  pcm_alaw: audio(),
  pcm_dvd: audio(),
  adpcm_ms: audio(),
  adpcm_ima_wav: audio(),
  adpcm_ima_qt: audio(),
  adpcm_swf: audio(),
  amr_nb: audio('amrnb'),
  amr_wb: audio('amrwb'),
  dts: audio('dca'),
  truehd: audio(),
  nellymoser: audio(),
  speex: audio('speex', 'libspeex'),
  cook: audio(),
  sipr: audio(),
  ra_144: audio('real_144'),
  ra_288: audio('real_288'),
  mov_text: subtitle(),
  ass: subtitle('ass', 'ssa'),
  subrip: subtitle('subrip', 'srt'),
  webvtt: subtitle(),
}

// ffprobe opens a decoder for every stream before it prints anything, and fails on the whole file when one is refused.
// These streams are copied at most, so only ffprobe may open their decoders.
const openedByProbe = 'dvdsub pgssub dvbsub xsub cc_dec libzvbi_teletextdec libaribb24 libaribcaption'.split(
  ' ',
)

/** Value of ffmpeg's `-codec_whitelist`. */
export const decoderList: string = Object.entries(allowedCodecs)
  .flatMap(([name, { decoders }]) => decoders ?? [name])
  .join(',')

export const probeDecoderList: string = [decoderList, ...openedByProbe].join(',')

export const isAllowed = (codec: string, kind: StreamKind): boolean =>
  Object.hasOwn(allowedCodecs, codec) && allowedCodecs[codec]?.kind === kind

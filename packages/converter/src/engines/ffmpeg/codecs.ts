// The decoders that may see a user's bytes. ffmpeg has more than five hundred, most of them for formats
// that users do not upload, and memory errors are found in them every month. A codec that is not here is
// refused by name. The values are ffmpeg's names of the decoders of a codec.

export type StreamKind = 'video' | 'audio' | 'subtitle'

/** Codecs whose decoder has the name of the codec. */
const sameName = (names: string): Record<string, readonly string[]> =>
  Object.fromEntries(names.split(' ').map((name) => [name, [name]]))

const decodersOf: Readonly<Record<StreamKind, Readonly<Record<string, readonly string[]>>>> = {
  video: {
    ...sameName(
      'h264 hevc mpeg4 mpeg1video mpeg2video msmpeg4v1 msmpeg4v2 wmv1 wmv2 wmv3 vc1 theora mjpeg prores',
    ),
    ...sameName('h263 svq1 svq3 dvvideo dnxhd vp6 vp6f vp6a cinepak qtrle rawvideo gif rv10 rv20 rv30 rv40'),
    // libvpx decodes the alpha channel, which the built-in decoders ignore.
    vp8: ['vp8', 'libvpx'],
    vp9: ['vp9', 'libvpx-vp9'],
    av1: ['libdav1d', 'av1'],
    msmpeg4v3: ['msmpeg4'],
    flv1: ['flv'],
    // From editing programs: animations with transparency, and masters.
    png: ['png'],
    jpeg2000: ['jpeg2000', 'libopenjpeg'],
  },
  audio: {
    ...sameName('aac aac_latm ac3 eac3 vorbis flac alac wmav1 wmav2 wmapro truehd nellymoser cook sipr'),
    ...sameName(
      'pcm_s16le pcm_s16be pcm_u8 pcm_s24le pcm_s24be pcm_s32le pcm_s32be pcm_f32le pcm_f32be pcm_s8',
    ),
    ...sameName('pcm_mulaw pcm_alaw pcm_dvd adpcm_ms adpcm_ima_wav adpcm_ima_qt adpcm_swf'),
    mp3: ['mp3', 'mp3float'],
    mp2: ['mp2', 'mp2float'],
    opus: ['opus', 'libopus'],
    amr_nb: ['amrnb'],
    amr_wb: ['amrwb'],
    dts: ['dca'],
    speex: ['speex', 'libspeex'],
    ra_144: ['real_144'],
    ra_288: ['real_288'],
  },
  subtitle: { ...sameName('mov_text webvtt'), ass: ['ass', 'ssa'], subrip: ['subrip', 'srt'] },
}

// ffprobe opens a decoder for every stream before it prints anything, and fails on the whole file when one is refused.
// These streams are copied at most, so only ffprobe may open their decoders.
const openedByProbe = 'dvdsub pgssub dvbsub xsub cc_dec libzvbi_teletextdec libaribb24 libaribcaption'.split(
  ' ',
)

/** Value of ffmpeg's `-codec_whitelist`. */
export const decoderList: string = Object.values(decodersOf)
  .flatMap((codecs) => Object.values(codecs).flat())
  .join(',')

export const probeDecoderList: string = [decoderList, ...openedByProbe].join(',')

export const isAllowed = (codec: string, kind: StreamKind): boolean => Object.hasOwn(decodersOf[kind], codec)

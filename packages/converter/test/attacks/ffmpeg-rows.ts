import type { FormatName } from '../../src/catalog/pairs.ts'
import type { World } from './world.ts'

// Files that make ffmpeg open another file or address. `bare` is the behaviour of stock ffmpeg 5.1 with the given name;
// "harmless" rows guard against versions that behave differently (their checks were bypassed more than once).
// `secret.ts` is a film of another customer: it is all magenta.

export interface FfmpegRow {
  name: string
  from: FormatName
  bare: 'hits' | 'harmless'
  /** Further files in the job's own folder, as if a second upload had landed there. */
  sibling?: boolean
  file(world: World): string
}

const playlist = (...lines: string[]) =>
  ['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-TARGETDURATION:1', ...lines, '#EXT-X-ENDLIST', ''].join('\n')

const dash = (address: string) =>
  '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S" ' +
  'profiles="urn:mpeg:dash:profile:full:2011"><Period><AdaptationSet mimeType="video/mp2t">' +
  `<Representation id="1" bandwidth="1000" codecs="avc1"><BaseURL>${address}</BaseURL></Representation>` +
  '</AdaptationSet></Period></MPD>'

const sessionDescription = (address: string) =>
  `v=0\no=- 0 0 IN IP4 ${address}\ns=x\nc=IN IP4 ${address}\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n`

export const ffmpegRows: readonly FfmpegRow[] = [
  ...(
    [
      'mp4',
      'mov',
      'mkv',
      'avi',
      'webm',
      'wmv',
      'flv',
      'ogv',
      'mpeg',
      'ts',
      'gif',
      'mxf',
      'vob',
      'rm',
    ] as const
  ).map(
    (from): FfmpegRow => ({
      name: "playlist with the path of another customer's film",
      from,
      bare: 'hits',
      file: ({ secrets }) => playlist('#EXTINF:1,', `${secrets}/secret.ts`),
    }),
  ),
  {
    name: "playlist of playlists with another customer's film",
    from: 'mp4',
    bare: 'harmless',
    file: ({ secrets }) => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${secrets}/secret.ts\n`,
  },
  {
    name: "DASH manifest with another customer's film",
    from: 'mp4',
    bare: 'hits',
    file: ({ secrets }) => dash(`${secrets}/secret.ts`),
  },
  {
    name: 'list of files with a file of the same folder',
    from: 'avi',
    bare: 'hits',
    sibling: true,
    file: () => 'ffconcat version 1.0\nfile sibling.ts\n',
  },
  {
    name: 'list of files with an absolute path',
    from: 'avi',
    bare: 'harmless',
    file: ({ secrets }) => `ffconcat version 1.0\nfile ${secrets}/secret.ts\n`,
  },
  {
    name: 'playlist with a web address',
    from: 'mp4',
    bare: 'harmless',
    file: ({ canary }) => playlist('#EXTINF:1,', `${canary}/film.ts`),
  },
  {
    name: 'playlist with a web address in concat:',
    from: 'mp4',
    bare: 'harmless',
    file: ({ canary, secrets }) => playlist('#EXTINF:1,', `concat:${secrets}/secret.ts|${canary}/film.ts`),
  },
  {
    name: 'playlist with a key at a web address',
    from: 'mp4',
    bare: 'harmless',
    file: ({ canary, secrets }) =>
      playlist(`#EXT-X-KEY:METHOD=AES-128,URI="${canary}/key"`, '#EXTINF:1,', `${secrets}/secret.ts`),
  },
  {
    name: 'playlist with a text file',
    from: 'mp4',
    bare: 'harmless',
    file: ({ secrets }) => playlist('#EXTINF:1,', `${secrets}/secret.txt`),
  },
  {
    name: 'DASH manifest with a web address',
    from: 'mp4',
    bare: 'harmless',
    file: ({ canary }) => dash(`${canary}/film.ts`),
  },
  {
    name: 'session description of a network stream',
    from: 'mp4',
    bare: 'harmless',
    file: () => sessionDescription('127.0.0.1'),
  },
]

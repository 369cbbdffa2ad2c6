// Which conversions run in the browser. This file is small and imports nothing, so that a page can list the targets of a
// file without loading the code that converts.

/** The code that is loaded for a conversion. */
export type Family = 'image' | 'audio' | 'archive' | 'pdf'

export interface BrowserTarget {
  /** Format name, such as `png`. */
  to: string
  label: string
  extension: string
}

interface Conversions {
  /** Format names, separated by spaces. */
  sources: string
  targets: readonly BrowserTarget[]
}

const target = (to: string, label: string, extension = to): BrowserTarget => ({ to, label, extension })

const imageTargets: readonly BrowserTarget[] = [
  target('png', 'PNG'),
  target('jpg', 'JPEG'),
  target('webp', 'WebP'),
  target('avif', 'AVIF'),
  target('gif', 'GIF'),
  target('tiff', 'TIFF'),
  target('bmp', 'BMP'),
  target('ico', 'Icon'),
]

const families: Readonly<Record<Family, Conversions>> = {
  image: {
    sources: 'avif bmp cur gif heic ico jpg png svg tiff webp',
    targets: [target('pdf', 'PDF'), ...imageTargets],
  },
  pdf: {
    sources: 'pdf',
    targets: [target('pdf', 'PDF pages'), ...imageTargets],
  },
  audio: {
    // The sound of videos too.
    sources: 'mp3 wav flac m4a aac ogg opus mka weba mp4 m4v mov mkv webm ts 3gp 3g2',
    targets: [
      target('mp3', 'MP3'),
      target('wav', 'WAV'),
      target('flac', 'FLAC'),
      target('m4a', 'M4A (AAC)'),
      target('aac', 'AAC'),
      target('ogg', 'Ogg (Opus)'),
      target('opus', 'Opus'),
    ],
  },
  archive: {
    sources: 'zip 7z tar gz bz2 xz rar zst lzma cab iso ar cpio jar war deb rpm z arj lzh',
    targets: [
      target('zip', 'Zip'),
      target('7z', '7-Zip'),
      target('tar', 'tar'),
      target('gz', 'tar.gz', 'tar.gz'),
      target('bz2', 'tar.bz2', 'tar.bz2'),
      target('xz', 'tar.xz', 'tar.xz'),
    ],
  },
}

const otherNames: Readonly<Record<string, string>> = {
  apng: 'png',
  gzip: 'gz',
  heif: 'heic',
  jfif: 'jpg',
  jpe: 'jpg',
  jpeg: 'jpg',
  m2ts: 'ts',
  m4b: 'm4a',
  m4r: 'm4a',
  mts: 'ts',
  oga: 'ogg',
  qt: 'mov',
  tbz2: 'bz2',
  tgz: 'gz',
  tif: 'tiff',
  txz: 'xz',
  tzst: 'zst',
  wave: 'wav',
}

/** `.JPEG` and `jpeg` are `jpg`. */
export function formatNamed(name: string): string {
  const lower = name.toLowerCase().replace(/^\./, '')
  return Object.hasOwn(otherNames, lower) ? (otherNames[lower] as string) : lower
}

/** The code that converts files of this format; null when there is none. */
export function familyOf(source: string): Family | null {
  for (const [family, { sources }] of Object.entries(families))
    if (sources.split(' ').includes(source)) return family as Family
  return null
}

/** The targets for a file of this format in the browser. */
export function browserTargets(from: string): BrowserTarget[] {
  const source = formatNamed(from)
  const family = familyOf(source)
  return family ? families[family].targets.filter(({ to }) => to !== source || to === 'pdf') : []
}

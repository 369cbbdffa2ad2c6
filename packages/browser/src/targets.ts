// Which conversions run in the browser. This file is small and imports nothing, so that a page can list the targets of a
// file without loading the code that converts.

/** What is loaded for a conversion. */
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

const imageTargets: readonly BrowserTarget[] = [
  { to: 'png', label: 'PNG', extension: 'png' },
  { to: 'jpg', label: 'JPEG', extension: 'jpg' },
  { to: 'webp', label: 'WebP', extension: 'webp' },
  { to: 'avif', label: 'AVIF', extension: 'avif' },
  { to: 'gif', label: 'GIF', extension: 'gif' },
  { to: 'tiff', label: 'TIFF', extension: 'tiff' },
  { to: 'bmp', label: 'BMP', extension: 'bmp' },
  { to: 'ico', label: 'Icon', extension: 'ico' },
]

const families: Readonly<Record<Family, Conversions>> = {
  image: {
    sources: 'avif bmp cur gif heic ico jpg png svg tiff webp',
    targets: [{ to: 'pdf', label: 'PDF', extension: 'pdf' }, ...imageTargets],
  },
  pdf: {
    sources: 'pdf',
    targets: [{ to: 'pdf', label: 'PDF pages', extension: 'pdf' }, ...imageTargets],
  },
  audio: {
    // The sound of videos too.
    sources: 'mp3 wav flac m4a aac ogg opus mka weba mp4 m4v mov mkv webm ts 3gp 3g2',
    targets: [
      { to: 'mp3', label: 'MP3', extension: 'mp3' },
      { to: 'wav', label: 'WAV', extension: 'wav' },
      { to: 'flac', label: 'FLAC', extension: 'flac' },
      { to: 'm4a', label: 'M4A (AAC)', extension: 'm4a' },
      { to: 'aac', label: 'AAC', extension: 'aac' },
      { to: 'ogg', label: 'Ogg (Opus)', extension: 'ogg' },
      { to: 'opus', label: 'Opus', extension: 'opus' },
    ],
  },
  archive: {
    sources: 'zip 7z tar gz bz2 xz rar zst lzma cab iso ar cpio jar war deb rpm z arj lzh',
    targets: [
      { to: 'zip', label: 'Zip', extension: 'zip' },
      { to: '7z', label: '7-Zip', extension: '7z' },
      { to: 'tar', label: 'tar', extension: 'tar' },
      { to: 'gz', label: 'tar.gz', extension: 'tar.gz' },
      { to: 'bz2', label: 'tar.bz2', extension: 'tar.bz2' },
      { to: 'xz', label: 'tar.xz', extension: 'tar.xz' },
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

/** Which code converts a file of this format; null when there is none. */
export function familyOf(source: string): Family | null {
  for (const [family, { sources }] of Object.entries(families))
    if (sources.split(' ').includes(source)) return family as Family
  return null
}

/** What a file of this format can become in the browser. */
export function browserTargets(from: string): BrowserTarget[] {
  const source = formatNamed(from)
  const family = familyOf(source)
  return family ? families[family].targets.filter(({ to }) => to !== source || to === 'pdf') : []
}

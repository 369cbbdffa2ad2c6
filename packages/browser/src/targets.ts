// Which conversions run in the browser. This file is small and imports nothing, so that a page can list the targets of a
// file without loading the code that converts.

export interface BrowserTarget {
  /** Format name, such as `png`. */
  to: string
  label: string
  extension: string
}

/** The media type by which a browser recognizes a source. */
const imageSources: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}

const imageTargets: readonly BrowserTarget[] = [
  { to: 'pdf', label: 'PDF', extension: 'pdf' },
  { to: 'png', label: 'PNG', extension: 'png' },
  { to: 'jpg', label: 'JPEG', extension: 'jpg' },
  { to: 'webp', label: 'WebP', extension: 'webp' },
  { to: 'bmp', label: 'BMP', extension: 'bmp' },
  { to: 'ico', label: 'Icon', extension: 'ico' },
]

const otherNames: Readonly<Record<string, string>> = {
  apng: 'png',
  jfif: 'jpg',
  jpe: 'jpg',
  jpeg: 'jpg',
}

/** `.JPEG` and `jpeg` are `jpg`. */
export function formatNamed(name: string): string {
  const lower = name.toLowerCase().replace(/^\./, '')
  return Object.hasOwn(otherNames, lower) ? (otherNames[lower] as string) : lower
}

/** What a file of this format can become in the browser. */
export function browserTargets(from: string): BrowserTarget[] {
  const source = formatNamed(from)
  return Object.hasOwn(imageSources, source) ? imageTargets.filter(({ to }) => to !== source) : []
}

export const mediaTypeOf = (source: string): string => imageSources[source] ?? ''

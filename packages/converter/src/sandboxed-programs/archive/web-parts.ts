import { extname } from 'node:path'

// The types of files that a page may use.
const types: ReadonlyMap<string, string> = new Map(
  Object.entries({
    html: 'text/html',
    htm: 'text/html',
    xhtml: 'application/xhtml+xml',
    css: 'text/css',
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    svg: 'image/svg+xml',
    webp: 'image/webp',
    avif: 'image/avif',
    bmp: 'image/bmp',
    ico: 'image/x-icon',
    woff: 'font/woff',
    woff2: 'font/woff2',
    ttf: 'font/ttf',
    otf: 'font/otf',
  }),
)

export const partTypeOf = (path: string): string | undefined =>
  types.get(extname(path).slice(1).toLowerCase())

// Detects the format of a Base64 picture by its first bytes; undefined for formats that no browser shows.

export interface PictureKind {
  extension: string
  type: string
}

const kinds: readonly (readonly [start: RegExp, kind: PictureKind])[] = [
  [/^iVBORw0KGgo/, { extension: 'png', type: 'image/png' }],
  [/^\/9j\//, { extension: 'jpg', type: 'image/jpeg' }],
  [/^R0lGOD/, { extension: 'gif', type: 'image/gif' }],
  [/^UklGR.{8}V0VCU/, { extension: 'webp', type: 'image/webp' }],
  [/^(?:PHN2Z|PD94bWwg)/, { extension: 'svg', type: 'image/svg+xml' }],
  [/^Qk[0-3]/, { extension: 'bmp', type: 'image/bmp' }],
]

export function pictureKind(base64: string): PictureKind | undefined {
  const start = base64.slice(0, 100).replaceAll(/\s/g, '')
  return kinds.find(([pattern]) => pattern.test(start))?.[1]
}

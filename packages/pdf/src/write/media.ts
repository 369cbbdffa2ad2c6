import { crc32 } from 'node:zlib'
import type { Picture } from '../read/page.ts'

/** Pictures of the package; each is stored once, even if it is used several times. */
export interface Media {
  name(picture: Picture): string
  files(): { name: string; bytes: Uint8Array }[]
}

export function mediaStore(): Media {
  const files: { name: string; bytes: Uint8Array }[] = []
  const bySum = new Map<number, { name: string; bytes: Uint8Array }[]>()
  return {
    name(picture) {
      const sum = crc32(picture.bytes)
      const alike = bySum.get(sum) ?? []
      const known = alike.find((f) => Buffer.compare(f.bytes, picture.bytes) === 0)
      if (known) return known.name
      const name = `image${files.length + 1}.${picture.format === 'jpeg' ? 'jpeg' : 'png'}`
      const file = { name, bytes: picture.bytes }
      files.push(file)
      bySum.set(sum, [...alike, file])
      return name
    },
    files: () => files,
  }
}

/** No larger than a letter of a heading: a bullet, an icon, a stroke. */
const ornamentSide = 18

export const isOrnament = ({ box, alt }: Picture): boolean =>
  alt === '' && Math.max(box.x1 - box.x0, box.y1 - box.y0) < ornamentSide

export const pictureData = (picture: Picture): string =>
  `data:image/${picture.format};base64,${Buffer.from(picture.bytes).toString('base64')}`

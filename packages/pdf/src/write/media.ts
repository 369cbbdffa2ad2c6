import { createHash } from 'node:crypto'
import type { Picture } from '../read/page.ts'

/** Pictures of the package, each stored once however often it is shown. */
export interface Media {
  name(picture: Picture): string
  files(): { name: string; bytes: Uint8Array }[]
}

export function mediaStore(): Media {
  const byDigest = new Map<string, { name: string; bytes: Uint8Array }>()
  return {
    name(picture) {
      const digest = createHash('sha1').update(picture.bytes).digest('hex')
      const known = byDigest.get(digest)
      if (known) return known.name
      const name = `image${byDigest.size + 1}.${picture.format === 'jpeg' ? 'jpeg' : 'png'}`
      byDigest.set(digest, { name, bytes: picture.bytes })
      return name
    },
    files: () => [...byDigest.values()],
  }
}

/** No larger than a letter of a heading: a bullet, an icon, a stroke. */
const ornamentSide = 18

export const isOrnament = ({ box, alt }: Picture): boolean =>
  alt === '' && Math.max(box.x1 - box.x0, box.y1 - box.y0) < ornamentSide

export const pictureData = (picture: Picture): string =>
  `data:image/${picture.format};base64,${Buffer.from(picture.bytes).toString('base64')}`

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

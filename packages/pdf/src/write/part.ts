import { crc32 } from 'node:zlib'
import type { Paragraph } from '../blocks/block.ts'
import type { FamilyName } from '../font-names.ts'
import type { Font, Picture } from '../read/page.ts'
import type { PageMarks } from './content.ts'
import type { Looks } from './styles.ts'
import { escapeXml } from './xml.ts'

// A part of the package (body, header, footer, notes) with its relationships.

export interface Shared {
  media: Media
  fonts: Map<string, FamilyName>
  /** Ids of drawings, bookmarks and controls must be unique in the document. */
  nextId: () => number
  /** Letter spacing of substituted fonts, in ems. */
  spacing: ReadonlyMap<Font, number>
  marks: PageMarks
  numberingOf: (list: { id: number }) => number
  /** The looks of styles, which runs do not repeat. */
  looks: Looks
  anchors: Anchors
}

/** Names of paragraphs that links lead to. */
export interface Anchors {
  of: (paragraph: Paragraph) => string | undefined
  at: (page: number, y: number) => string | undefined
}

export interface Part {
  shared: Shared
  picture(picture: Picture): string
  link(uri: string): string
  relations(): string
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export function newPart(shared: Shared, fixed: { id: string; type: string; target: string }[] = []): Part {
  const rows = fixed.map((f) => ({ ...f, external: false }))
  const seen = new Map<string, string>()
  const add = (type: string, target: string, external: boolean): string => {
    const key = `${type} ${target}`
    const known = seen.get(key)
    if (known) return known
    const id = `rId${rows.length + 1}`
    rows.push({ id, type, target, external })
    seen.set(key, id)
    return id
  }
  return {
    shared,
    picture: (picture) => add('image', `media/${shared.media.name(picture)}`, false),
    link: (uri) => add('hyperlink', uri, true),
    relations: () =>
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows
        .map(
          (r) =>
            `<Relationship Id="${r.id}" Type="${office}/${r.type}" Target="${escapeXml(r.target)}"${r.external ? ' TargetMode="External"' : ''}/>`,
        )
        .join('')}</Relationships>`,
  }
}

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

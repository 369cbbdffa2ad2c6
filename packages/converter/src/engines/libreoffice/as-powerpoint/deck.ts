import { posix } from 'node:path'
import { visitXml } from '../../../package/edit-xml.ts'

export interface Deck {
  /** Slide parts by name. */
  slides: ReadonlyMap<string, string>
  /** Layouts and masters. */
  backgrounds: ReadonlyMap<string, string>
  /** Rendered drawings of diagrams. */
  diagrams: ReadonlyMap<string, string>
  themes: ReadonlyMap<string, string>
  presentation: string
  /** Relationship parts. */
  relations: ReadonlyMap<string, string>
}

/** Thousandths of a percent, or a percentage. */
export function percentOf(value: string | undefined): number | undefined {
  const [, figure, sign] = /^(\d{1,6}(?:\.\d{1,6})?)(%?)$/.exec(value ?? '') ?? []
  const found = Number(figure) / (sign === '%' ? 1 : 1000)
  return found > 0 ? found : undefined
}

interface Target {
  name: string
  type: string
}

/** By relationship id. Names are relative to the folder of the part, or to the root. */
export function relationTargets(relations: string | undefined, folder: string): Map<string, Target> {
  const targets = new Map<string, Target>()
  visitXml(relations ?? '', ({ name, attributes }) => {
    if (name !== 'Relationship') return
    targets.set(attributes.Id ?? '', {
      name: posix
        .resolve('/', folder, attributes.Target ?? '')
        .slice(1)
        .toLowerCase(),
      type: attributes.Type ?? '',
    })
  })
  return targets
}

const folderOf = (part: string): string => part.slice(0, part.lastIndexOf('/') + 1)

/** The name of the relationship part of a part. */
export const relationsOf = (part: string): string =>
  `${folderOf(part)}_rels/${part.slice(folderOf(part).length)}.rels`

/** The name of the first related part of a type. */
export const relatedPart = (relations: Deck['relations'], part: string, type: string): string | undefined =>
  [...relationTargets(relations.get(relationsOf(part)), folderOf(part)).values()].find((target) =>
    target.type.endsWith(`/${type}`),
  )?.name

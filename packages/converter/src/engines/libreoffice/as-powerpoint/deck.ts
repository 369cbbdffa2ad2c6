import { posix } from 'node:path'

export interface Deck {
  /** The slides' parts by name. */
  slides: ReadonlyMap<string, string>
  /** Layouts and masters. */
  backgrounds: ReadonlyMap<string, string>
  /** What diagrams were drawn as. */
  diagrams: ReadonlyMap<string, string>
  themes: ReadonlyMap<string, string>
  presentation: string
  /** Relationship parts. */
  relations: ReadonlyMap<string, string>
}

export const attribute = (element: string, name: string): string =>
  new RegExp(` ${name}="([^"]*)"`).exec(element)?.[1] ?? ''

/** Thousandths of a percent, or a percentage. */
export function percent(element: string, name: string): number | undefined {
  const [, figure, sign] = /^(\d{1,6}(?:\.\d{1,6})?)(%?)$/.exec(attribute(element, name)) ?? []
  const found = Number(figure) / (sign === '%' ? 1 : 1000)
  return found > 0 ? found : undefined
}

interface Target {
  name: string
  type: string
}

/** By the relationship's id. Names are relative to the directory of the part, or to the root. */
export const relationTargets = (relations: string | undefined, folder: string): Map<string, Target> =>
  new Map(
    Array.from((relations ?? '').matchAll(/<Relationship\b[^<>]*>/g), ([relation]) => [
      attribute(relation, 'Id'),
      {
        name: posix.resolve('/', folder, attribute(relation, 'Target')).slice(1).toLowerCase(),
        type: attribute(relation, 'Type'),
      },
    ]),
  )

const folderOf = (part: string): string => part.slice(0, part.lastIndexOf('/') + 1)

/** The name of the relationship part of a part. */
export const relationsOf = (part: string): string =>
  `${folderOf(part)}_rels/${part.slice(folderOf(part).length)}.rels`

/** The name of the first part of a type that a part is related to. */
export const relatedPart = (relations: Deck['relations'], part: string, type: string): string | undefined =>
  [...relationTargets(relations.get(relationsOf(part)), folderOf(part)).values()].find((target) =>
    target.type.endsWith(`/${type}`),
  )?.name

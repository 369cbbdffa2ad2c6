import { posix } from 'node:path'

// Relationships of the Open Packaging Conventions: those of `word/document.xml` are in `word/_rels/document.xml.rels`.

interface Relationship {
  id: string
  /** Name of the part; null for a target outside the package. */
  target: string | null
}

/** Of a part in this folder. */
export const relationshipsIn = (xml: string, folder: string): Relationship[] =>
  [...xml.matchAll(/<Relationship\b[^<>]*>/g)].flatMap(([element]) => {
    const [id, target] = [/\bId="([^"]*)"/.exec(element)?.[1], /\bTarget="([^"]*)"/.exec(element)?.[1]]
    if (target === undefined) return []
    const isOutside = /TargetMode="External"/.test(element)
    const name = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
    return [{ id: id ?? '', target: isOutside ? null : name }]
  })

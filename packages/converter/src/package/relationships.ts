import { posix } from 'node:path'

// Relationships of the Open Packaging Conventions: those of `word/document.xml` are in `word/_rels/document.xml.rels`.

interface Relationship {
  id: string
  /** Name of the part; null for a target outside the package. */
  target: string | null
}

/** The relationships of a part in this folder. Producers use either kind of quotes, and may use a namespace prefix. */
export const relationshipsIn = (xml: string, folder: string): Relationship[] =>
  [...xml.matchAll(/<(?:\w+:)?Relationship\b[^<>]*>/g)].flatMap(([element]) => {
    const [id, target] = [quotedValue(idAttribute, element), quotedValue(targetAttribute, element)]
    if (target === undefined) return []
    const isOutside = /\bTargetMode\s*=\s*["']External["']/.test(element)
    const name = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
    return [{ id: id ?? '', target: isOutside ? null : name }]
  })

const idAttribute = /\sId\s*=\s*(?:"([^"]*)"|'([^']*)')/
const targetAttribute = /\sTarget\s*=\s*(?:"([^"]*)"|'([^']*)')/

function quotedValue(attribute: RegExp, element: string): string | undefined {
  const [, doubleQuoted, singleQuoted] = attribute.exec(element) ?? []
  return doubleQuoted ?? singleQuoted
}

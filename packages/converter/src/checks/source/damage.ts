import { posix } from 'node:path'
import { isZip, withUpload } from '../../catalog/file-types/upload.ts'
import { readParts, type ZipPackage } from '../../package/read-package.ts'
import { relationshipsIn } from '../../package/relationships.ts'
import { assertWellFormed } from '../../package/well-formed.ts'

// Whether the package is the cause of an invalid output: its XML is not well formed, a relationship points to a missing
// part, or a part is unreachable. Programs show different parts of such a document, or none. Runs in a thread, after a
// check has failed.

const partBytes = 4 * 1024 * 1024
const maxParts = 200

export async function isDamagedPackage(path: string): Promise<boolean> {
  return withUpload(path, async (upload) => {
    if (!isZip(upload.head)) return false
    let count = 0
    const isXml = (name: string) => /\.(?:xml|rels)$/.test(name) && ++count <= maxParts
    return contradictsItself(await readParts(upload, { wanted: isXml, maxPartBytes: partBytes }))
  })
}

function contradictsItself({ names, parts }: ZipPackage): boolean {
  const all = new Set([...names].map((name) => name.toLowerCase()))
  return (
    [...parts].some(([name, xml]) => !isWellFormed(xml) || leadsNowhere(name, xml, parts, all)) ||
    hasUnreachablePart(parts)
  )
}

const contentTypes = '[content_types].xml'

/** For a package with relationships, if all of them have been read. */
function hasUnreachablePart(parts: ZipPackage['parts']): boolean {
  if (!parts.has(contentTypes) || parts.size >= maxParts) return false
  const [relationships, others] = [new Set<string>(), [] as string[]]
  for (const [name, xml] of parts) {
    if (!name.endsWith('.rels')) others.push(name)
    else
      for (const { target } of relationshipsIn(xml, posix.dirname(posix.dirname(name))))
        if (target !== null) relationships.add(target.toLowerCase())
  }
  return others.some((name) => name !== contentTypes && !relationships.has(name))
}

function isWellFormed(xml: string): boolean {
  try {
    assertWellFormed('', xml)
    return true
  } catch {
    // The parser throws for XML that is not well formed.
    return false
  }
}

function leadsNowhere(
  name: string,
  xml: string,
  parts: ZipPackage['parts'],
  names: ReadonlySet<string>,
): boolean {
  const { dir, base } = posix.parse(name)
  if (base.endsWith('.rels'))
    return relationshipsIn(xml, posix.dirname(dir)).some(
      ({ target }) => target !== null && !names.has(target.toLowerCase()),
    )
  const used = new Set([...xml.matchAll(/\sr:(?:id|embed|link|pict)="([^"]+)"/g)].map(([, id = '']) => id))
  const own = relationshipsIn(parts.get(posix.join(dir, '_rels', `${base}.rels`)) ?? '', dir)
  return [...used].some((id) => !own.some((each) => each.id === id))
}

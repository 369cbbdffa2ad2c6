import type { Archive } from './archive.ts'
import { decodeXml } from './read-package.ts'
import { type NewParts, rewriteArchive } from './rewrite-archive.ts'

const maxPartBytes = 32 * 1024 * 1024

/** The text of parts by lower-case name. */
export type Parts = ReadonlyMap<string, string>

export interface PackageEdit {
  /** Whether the edit reads the part of this lower-case name. */
  reads: (name: string) => boolean
  /** Returns the parts that are replaced or added. */
  apply: (parts: Parts) => NewParts
}

/** Both edits; each gets the parts that it reads. */
export const bothEdits = (first: PackageEdit, second: PackageEdit): PackageEdit => {
  const apply = (edit: PackageEdit, parts: Parts) => [
    ...edit.apply(new Map([...parts].filter(([name]) => edit.reads(name)))),
  ]
  return {
    reads: (name) => first.reads(name) || second.reads(name),
    apply: (parts) => new Map([...apply(first, parts), ...apply(second, parts)]),
  }
}

/** Writes a copy of the package with the edit applied to `target`, unless the edit changes nothing. */
export async function editPackage(
  archive: Archive,
  target: string,
  { reads, apply }: PackageEdit,
): Promise<{ isEdited: boolean; parts: Parts }> {
  const parts = new Map<string, string>()
  for (const entry of archive.entries) {
    const name = entry.name.toLowerCase()
    if (!reads(name) || entry.header.isEncrypted()) continue
    const bytes = await archive.readEntry(entry, maxPartBytes)
    // A part at the limit may be truncated.
    if (!bytes || bytes.length >= maxPartBytes) continue
    const xml = decodeXml(bytes)
    if (!declaresOtherEncoding(xml)) parts.set(name, xml)
  }
  const changed = apply(parts)
  return { isEdited: changed.size > 0 && (await rewriteArchive(archive, target, changed)), parts }
}

/** Edited parts are written as UTF-8. */
const declaresOtherEncoding = (xml: string): boolean =>
  /^<\?xml[^<>]*encoding=["'](?!utf-8)/i.test(xml.slice(0, 200))

/** An edit that changes each part by itself. */
export const editEach =
  (change: (xml: string, name: string) => string) =>
  (parts: Parts): Parts => {
    const changed = [...parts].map(([name, xml]) => [name, change(xml, name)] as const)
    return new Map(changed.filter(([name, xml]) => xml !== parts.get(name)))
  }

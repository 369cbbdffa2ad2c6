import { withUpload } from '../../catalog/sniff/upload.ts'
import { readZipPackage } from '../../catalog/sniff/zip-package.ts'
import { type NewParts, replaceParts } from './replace-parts.ts'

const maxPartBytes = 32 * 1024 * 1024

/**
 * Writes a copy of a zip package to `target` with the parts replaced or added that `edit` returns; false when it
 * returns none. Names of parts are in lower case.
 */
export async function editPackage(
  source: string,
  target: string,
  wanted: (name: string) => boolean,
  edit: (parts: ReadonlyMap<string, string>) => NewParts,
): Promise<boolean> {
  const changed = await withUpload(source, async (upload) => {
    const { parts } = await readZipPackage(upload, wanted, maxPartBytes)
    // A part at the limit may be cut off; and what declares another encoding is not to be re-encoded.
    const whole = [...parts].filter(
      ([, xml]) => xml.length < maxPartBytes && !/^<\?xml[^<>]*encoding=["'](?!utf-8)/i.test(xml),
    )
    return edit(new Map(whole))
  })
  return changed.size > 0 && replaceParts(source, target, changed)
}

/** For parts that change each by itself. */
export const changeEach =
  (change: (xml: string, name: string) => string) =>
  (parts: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
    const changed = [...parts].map(([name, xml]) => [name, change(xml, name)] as const)
    return new Map(changed.filter(([name, xml]) => xml !== parts.get(name)))
  }

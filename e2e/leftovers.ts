import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The files under a folder that contain the given bytes. Files may be removed during the search; these are skipped. The
 * database's folder is large, and can be excluded.
 */
export const filesHolding = async (
  folder: string,
  bytes: Uint8Array,
  where: 'everywhere' | 'outside the database' = 'outside the database',
): Promise<string[]> => {
  const found: string[] = []
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      const skipped = where === 'outside the database' && entry.name === 'postgres'
      if (!skipped) found.push(...(await filesHolding(path, bytes, where)))
    } else if (entry.isFile()) {
      const content = await readFile(path).catch(() => Buffer.alloc(0))
      if (content.includes(Buffer.from(bytes))) found.push(path)
    }
  }
  return found
}

export const untilTrue = async (look: () => Promise<boolean>, withinMs: number): Promise<boolean> => {
  const deadline = Date.now() + withinMs
  for (;;) {
    if (await look()) return true
    if (Date.now() > deadline) return false
    await new Promise((next) => setTimeout(next, 250))
  }
}

import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

// Most shells expand patterns themselves. Where they do not (quotes, Windows), `*`, `?` and `**` are expanded here with
// the same rules: hidden files only when the pattern includes them, sorted.

/** The files that match a pattern; the argument itself if it is not a pattern, or names an existing file. */
export async function expandPattern(pattern: string): Promise<string[]> {
  if (!/[*?]/.test(pattern) || existsSync(pattern)) return [pattern]
  const isAbsolute = pattern.startsWith('/')
  const parts = pattern.split('/').filter((part) => part !== '')
  return (await expandParts(isAbsolute ? '/' : '', parts)).sort()
}

async function expandParts(folder: string, parts: readonly string[]): Promise<string[]> {
  const [part, ...rest] = parts
  if (part === undefined) return existsSync(folder) ? [folder] : []
  if (part === '**') {
    const inside = await expandParts(folder, rest)
    for (const name of await namesIn(folder, true)) {
      if (!name.startsWith('.')) inside.push(...(await expandParts(join(folder, name), parts)))
    }
    return inside
  }
  if (!/[*?]/.test(part)) return expandParts(join(folder, part), rest)
  const matcher = matcherOf(part)
  const found: string[] = []
  for (const name of await namesIn(folder, rest.length > 0)) {
    if (matcher.test(name)) found.push(...(await expandParts(join(folder, name), rest)))
  }
  return found
}

async function namesIn(folder: string, onlyFolders: boolean): Promise<string[]> {
  // A folder that is missing or unreadable holds no match; the caller reports a pattern without any.
  const entries = await readdir(folder || '.', { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => !onlyFolders || entry.isDirectory()).map(({ name }) => name)
}

function matcherOf(part: string): RegExp {
  const source = part
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.')
  return new RegExp(`^${part.startsWith('.') ? '' : '(?!\\.)'}${source}$`, 's')
}

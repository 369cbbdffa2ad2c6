import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

// What `docker build` would send: the repository without what .dockerignore leaves out. The last line
// that fits a path decides.

export interface IgnoreLine {
  pattern: string
  keep: boolean
}

export const parseIgnore = (source: string): IgnoreLine[] =>
  source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) =>
      line.startsWith('!') ? { pattern: line.slice(1), keep: true } : { pattern: line, keep: false },
    )

export function isSent(path: string, lines: readonly IgnoreLine[]): boolean {
  const parents = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
  let sent = true
  for (const { pattern, keep } of lines) {
    // A line about a folder is about everything in it.
    if (parents.some((parent) => fits(parent, pattern))) sent = keep
  }
  return sent
}

/** As Docker does it: names that begin with a dot are names like others. */
function fits(path: string, pattern: string): boolean {
  const expression = pattern
    .split('/')
    .map((part) =>
      part === '**' ? '(.*/)?' : `${part.replaceAll(/[.+?^$(){}|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')}/`,
    )
    .join('')
    .replace(/\/$/, '')
  return new RegExp(`^${expression}$`).test(path)
}

/** The files of the context, by path from its root. */
export async function listContext(root: string): Promise<string[]> {
  const lines = parseIgnore(await readFile(join(root, '.dockerignore'), 'utf8'))
  const files: string[] = []
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (['node_modules', '.git', 'dist'].includes(entry.name)) continue
      if (entry.isDirectory()) await walk(path)
      else if (isSent(path, lines)) files.push(path)
    }
  }
  await walk('')
  return files
}

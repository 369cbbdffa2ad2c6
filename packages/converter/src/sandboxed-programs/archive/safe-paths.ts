import { failed } from '../../failure.ts'

// The paths of an archive's files, as they may be written below a folder. An archive with a path that leads out of it
// is refused as a whole: such names are not created by mistake.

const longestPath = 1000
const longestName = 255

export function safePath(name: string): string {
  const path = name.replaceAll('\\', '/')
  const parts = path.split('/').filter((part) => part !== '.' && part !== '')
  const leadsOut = path.startsWith('/') || /^[A-Za-z]:/.test(path) || parts.includes('..')
  const isLong =
    Buffer.byteLength(path) > longestPath || parts.some((part) => Buffer.byteLength(part) > longestName)
  if (leadsOut || isLong || parts.length === 0 || /\p{Cc}/u.test(path))
    throw failed.corruptInput(
      'The ZIP archive contains a file whose path leads out of it or is invalid. Pack the folder of the document again.',
    )
  return parts.join('/')
}

/** Files that macOS adds to archives, and hidden files, are not part of a document. */
export const isExtra = (path: string): boolean =>
  path.split('/').some((part) => part === '__MACOSX' || part.startsWith('.'))

/** No path twice, and none that is a file and a folder. */
export function refuseDoubles(paths: readonly string[]): void {
  const files = new Set(paths)
  const folders = new Set(paths.flatMap(foldersOf))
  if (files.size < paths.length || paths.some((path) => folders.has(path)))
    throw failed.corruptInput(
      'The ZIP archive holds two files of the same name. Pack the folder of the document again.',
    )
}

const foldersOf = (path: string): string[] => {
  const parts = path.split('/')
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'))
}

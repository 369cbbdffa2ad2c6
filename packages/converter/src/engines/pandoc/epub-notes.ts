import { tag } from '../../catalog/file-types/shown-text.ts'

// Pandoc removes the notes of a chapter and puts them where the chapter refers to them. It also removes references whose
// notes are elsewhere, such as in a chapter of notes, and notes without references. Those become ordinary links and text.
// Chapters are not always well formed, so their tags are read one by one.

const tags = new RegExp(tag.source, 'gi')
const noteType = /\s(?:epub:)?type\s*=\s*["'](noteref|footnote|rearnote)["']/

export function keptNotes(chapter: string): string {
  if (!noteType.test(chapter)) return chapter
  const [references, notes] = [new Set<string>(), new Set<string>()]
  for (const [given] of chapter.matchAll(tags)) {
    const [, type] = noteType.exec(given) ?? []
    if (type !== undefined) (type === 'noteref' ? references : notes).add(targetOf(given, type))
  }
  return chapter.replaceAll(tags, (given) => {
    const [, type] = noteType.exec(given) ?? []
    if (type === undefined) return given
    const target = targetOf(given, type)
    return references.has(target) && notes.has(target) ? given : given.replace(noteType, '')
  })
}

const targetOf = (given: string, type: string): string =>
  type === 'noteref'
    ? (/\shref\s*=\s*["']([^"']*)/.exec(given)?.[1] ?? '')
    : `#${/\sid\s*=\s*["']([^"']*)/.exec(given)?.[1] ?? ''}`

import { shownText, tag } from '../../catalog/file-types/shown-text.ts'
import type { PackageEdit } from '../../package/edit-package.ts'
import { readableHtml } from './readable-html.ts'

// Pandoc drops parts of chapters of EPUB files by their types:
//
//   notes        are put where the chapter refers to them. References whose notes are elsewhere, such as in a chapter of
//                notes, and notes without references become ordinary links and text
//   title page   is written from the metadata. One that says more, such as an epigraph, becomes ordinary text
//
// Chapters are not always well formed, so their tags are read one by one.

const isChapter = (name: string): boolean => /\.x?html?$/.test(name)

export const readableChapters: PackageEdit = {
  reads: (name) => isChapter(name) || name.endsWith('.opf'),
  apply(parts) {
    const metadata = [...parts].filter(([name]) => !isChapter(name)).map(([, xml]) => shownText(xml))
    const changed = [...parts]
      .filter(([name]) => isChapter(name))
      .map(([name, xml]) => [name, readable(keptTitlePage(keptNotes(xml), metadata.join(' ')))] as const)
    return new Map(changed.filter(([name, xml]) => xml !== parts.get(name)))
  },
}

/** Of what readableHtml changes, what is common in books: other chapters stay byte for byte. */
const readable = (chapter: string): string =>
  /<(?:input|rt|svg|figure|select|textarea|iframe|video|audio)[\s>/]/i.test(chapter)
    ? readableHtml(chapter)
    : chapter

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

const titlePage = /\s(?:epub:)?type\s*=\s*["']titlepage["']/

export function keptTitlePage(chapter: string, metadata: string): string {
  if (!titlePage.test(chapter)) return chapter
  const known = new Set(wordsOf(metadata))
  const words = wordsOf(shownText(chapter))
  const isKnown = 2 * words.filter((word) => known.has(word)).length >= words.length
  return isKnown ? chapter : chapter.replaceAll(tags, (given) => given.replace(titlePage, ''))
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

import { descendants, editTree, type XmlNode } from '../../package/edit-xml.ts'

// Pandoc removes the notes of a chapter and puts them where the chapter refers to them. It also removes references whose
// notes are elsewhere, such as in a chapter of notes, and notes without references. Those become ordinary links and text.

const noteType = /^(?:footnote|rearnote)$/

export const keptNotes = (chapter: string): string =>
  /=\s*["'](?:noteref|footnote|rearnote)["']/.test(chapter)
    ? editTree(chapter, (root, editor) => {
        const elements = [...descendants(root)]
        const references = elements.filter((element) => typeOf(element) === 'noteref')
        const notes = elements.filter((element) => noteType.test(typeOf(element)))
        const referenced = new Set(references.map(({ attributes }) => attributes.href))
        const linked = new Set(
          notes.map(({ attributes: { id } }) => `#${id}`).filter((href) => referenced.has(href)),
        )
        const others = [
          ...references.filter(({ attributes }) => !linked.has(attributes.href ?? '')),
          ...notes.filter(({ attributes }) => !linked.has(`#${attributes.id}`)),
        ]
        for (const element of others)
          editor.setAttributes(element, { 'epub:type': undefined, type: undefined })
      })
    : chapter

const typeOf = ({ attributes }: XmlNode): string => attributes.type ?? attributes['epub:type'] ?? ''

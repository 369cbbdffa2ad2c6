import { editEach, type PackageEdit } from '../../package/edit-package.ts'
import { editXml } from '../../package/edit-xml.ts'
import { completeStructure } from './word-structure.ts'
import { withSymbols } from './word-symbols.ts'
import { withoutWrappers } from './wrappers.ts'

// Pandoc does not read the text of boxes and shapes, nor that of the fields of ODT. The text of a shape is moved behind the
// paragraph that holds it; fields, such as the numbers of captions, become text.

export const shownText: PackageEdit = {
  reads: (name) => /^(?:content|word\/(?:document\d*|footnotes|endnotes))\.xml$/.test(name),
  apply: editEach((xml) => {
    const readable = completeStructure(withoutWrappers(withSymbols(withFieldsAsText(xml))))
    return /<(?:w:txbxContent|draw:)/.test(readable) ? withTextBehind(readable) : readable
  }),
}

/** OpenDocument 1.3, chapter 7, without the references and citations that pandoc reads. */
const field =
  /(<\/?text:)(?:(?:(?:creation|modification|print)-)?(?:date|time)|(?:page|paragraph|word|character|table|image|object)-count|page-(?:number|continuation|variable-get)|sender-[\w-]+|author-(?:name|initials)|(?:initial-)?creator|printed-by|chapter|(?:file|template|sheet)-name|variable-(?:set|get|input)|user-field-(?:get|input)|user-defined|sequence(?:-ref)?|note-ref|expression|text-input|drop-down|placeholder|conditional-text|title|subject|keywords|description|editing-(?:cycles|duration)|database-(?:display|name|row-number)|dde-connection|measure|meta|meta-field)(?=[\s/>])/g

export const withFieldsAsText = (xml: string): string => xml.replaceAll(field, '$1span')

const boxes = /^(?:w:txbxContent|draw:(?:text-box|custom-shape|rect|ellipse|circle|path|polygon|caption))$/
const paragraph = /^(?:w:p|text:[ph])$/
/** Has the same text again, for older programs. */
const fallback = 'mc:Fallback'

export function withTextBehind(xml: string): string {
  let texts: string[] = []
  let [depth, paragraphs, fallbacks] = [0, 0, 0]
  return editXml(xml, {
    open({ name }) {
      if (name === fallback) fallbacks += 1
      if (boxes.test(name)) depth += 1
      if (depth === 0 && paragraph.test(name)) paragraphs += 1
    },
    close({ name, end: start }, { start: end, end: after }, editor) {
      if (name === fallback) fallbacks -= 1
      if (boxes.test(name)) {
        depth -= 1
        const text = editor.source(start, end)
        // A picture and its caption, which pandoc reads.
        if (depth > 0 || text.includes('<draw:image')) return
        if (fallbacks === 0) texts.push(text)
        editor.replace(start, end, '')
      }
      if (depth > 0 || !paragraph.test(name)) return
      paragraphs -= 1
      if (paragraphs > 0 || texts.length === 0) return
      editor.replace(after, after, texts.join(''))
      texts = []
    },
  })
}

import { editXml, type XmlElement, type XmlVisitor } from '../../package/edit-xml.ts'

// Pandoc drops elements that it does not know with all they hold: sections and the heading rows of tables in ODT, fields
// and furigana in DOCX. Their tags are removed, so that their content stays.

/** Content of paragraphs and of the body, and rows and cells of tables. Links remain fields. */
const wordWrapper = /^w:(?:customXml|fldSimple|dir|bdo|rubyBase)$/
/** Indexes are generated from the text that they list, except for bibliographies. */
const openDocumentWrapper =
  /^(?:text:(?:section|numbered-paragraph|page-sequence|bibliography|ruby|ruby-base)|table:table-(?:header-rows|rows|row-group|header-columns|columns|column-group))$/
const cellOrNote = /^(?:table:table-cell|text:note-body)$/
/** In cells and notes pandoc reads nothing but paragraphs. */
const insideCell =
  /^(?:text:(?:list|list-item|list-header)|table:(?:table|table-column|table-row|table-cell|covered-table-cell))$/

export const withoutWrappers = (xml: string): string => {
  if (/<w:(?:customXml|fldSimple|dir|bdo|ruby)\b/.test(xml)) return editXml(xml, wordVisitor())
  return /<(?:text:(?:section|numbered-paragraph|page-sequence|bibliography|ruby|note-body)|table:table-cell)\b/.test(
    xml,
  )
    ? editXml(xml, openDocumentVisitor())
    : xml
}

function wordVisitor(): XmlVisitor {
  /** The reading of a base text, which follows it in parentheses. */
  let reading = ''
  const isWrapper = ({ name, attributes }: XmlElement): boolean =>
    wordWrapper.test(name) && !/^\s*HYPERLINK\b/i.test(attributes['w:instr'] ?? '')
  return {
    open(element, editor) {
      if (isWrapper(element)) editor.replace(element.start, element.end, '')
      // Its runs are inside of a run.
      if (element.name === 'w:ruby') editor.replace(element.start, element.end, '</w:r>')
    },
    close(element, end, editor) {
      const { name, isSelfClosing } = element
      if (isWrapper(element) && !isSelfClosing) editor.replace(end.start, end.end, '')
      if (name === 'w:rt') {
        const texts = editor.source(element.end, end.start).matchAll(/<w:t(?:\s[^<>]*)?>([^<]*)</g)
        reading = [...texts].map(([, text]) => text).join('')
      }
      if (name === 'w:ruby' && !isSelfClosing) {
        editor.replace(
          end.start,
          end.end,
          `<w:r><w:t>${reading === '' ? '' : `(${reading})`}</w:t></w:r><w:r>`,
        )
        reading = ''
      }
    },
  }
}

function openDocumentVisitor(): XmlVisitor {
  let cells = 0
  /** Pandoc drops a section that it does not know, which is right for one that is hidden. */
  const isWrapper = ({ name, attributes }: XmlElement): boolean =>
    (openDocumentWrapper.test(name) && attributes['text:display'] !== 'none') ||
    (cells > 0 && insideCell.test(name))
  const instead = (element: XmlElement, renamed: string): string | undefined => {
    if (element.name === 'text:ruby-text') return renamed
    return isWrapper(element) ? '' : undefined
  }
  return {
    open(element, editor) {
      const { name, start, end, isSelfClosing } = element
      const text = instead(element, '<text:span>(')
      if (text !== undefined) editor.replace(start, end, isSelfClosing ? '' : text)
      if (name === 'text:h' && cells > 0) editor.replace(start, start + '<text:h'.length, '<text:p')
      if (cellOrNote.test(name)) cells += 1
    },
    close(element, end, editor) {
      const { name, isSelfClosing } = element
      if (cellOrNote.test(name)) cells -= 1
      if (isSelfClosing) return
      const text = instead(element, ')</text:span>')
      if (text !== undefined) editor.replace(end.start, end.end, text)
      if (name === 'text:h' && cells > 0) editor.replace(end.start, end.end, '</text:p>')
    },
  }
}

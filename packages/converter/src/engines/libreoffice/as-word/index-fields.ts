import type { XmlVisitor } from '../../../package/edit-xml.ts'

// A table of contents lists heading levels (`\o "1-3"`) and further styles with their levels (`\t "Annex;1"`). If a
// heading style is among the latter, LibreOffice gives it an outline level again, and all headings of this style lose
// their own indents, spacing and alignment. In Word the list of a table says nothing about the paragraphs. So headings
// that the first list contains are removed from the second.

export const hasStyleList = (xml: string): boolean => xml.includes('\\t') && /heading \d *[;,] *\d/i.test(xml)

const levels = /\\o\s*(?:"|&quot;)\s*(\d)\s*-\s*(\d)/
const heading = /heading (\d) *[;,] *(\d) *(?:[;,] *|(?="|&quot;))/gi

/** The instruction of a field may be split into several runs. */
export function styleListVisitor(): XmlVisitor {
  let instruction = ''
  return {
    open({ name }) {
      if (name === 'w:fldChar') instruction = ''
    },
    close({ name, end }, { start }, editor) {
      if (name !== 'w:instrText') return
      const text = editor.source(end, start)
      instruction += text
      const [, first = '', last = ''] = levels.exec(instruction) ?? []
      if (first === '') return
      const kept = text.replaceAll(heading, (entry, style: string, level: string) =>
        style === level && first <= style && style <= last ? '' : entry,
      )
      if (kept !== text) editor.replace(end, start, kept)
    },
  }
}

import type { XmlElement, XmlVisitor } from '../../../package/edit-xml.ts'

// Chinese documents number their pages "- 1 -". LibreOffice does not know this format and prints the number alone. So
// dashes are added around it as text.

/** Whether all formats of page numbers are this one: a header or footer may belong to any section. */
export function hasDashedNumbers(body: string): boolean {
  const formats = Array.from(body.matchAll(/<w:pgNumType\s[^<>]*w:fmt="([^"]*)"/g), ([, format]) => format)
  return formats.length > 0 && formats.every((format) => format === 'numberInDash')
}

const pageField = /^\s*PAGE(?!\w)(?!.*\\\*(?!\s*MERGEFORMAT))/is
const dash = (text: string) => `<w:t xml:space="preserve">${text}</w:t>`

/** For a header or footer. */
export function dashVisitor(): XmlVisitor {
  const fields: { begin: XmlElement; isPage: boolean }[] = []
  return {
    open(element, editor) {
      const kind = element.name === 'w:fldChar' ? element.attributes['w:fldCharType'] : undefined
      if (kind === 'begin') fields.push({ begin: element, isPage: false })
      if (element.name === 'w:fldSimple' && pageField.test(element.attributes['w:instr'] ?? ''))
        editor.replace(element.start, element.start, `<w:r>${dash('- ')}</w:r>`)
    },
    close(element, end, editor) {
      const field = fields.at(-1)
      if (element.name === 'w:instrText' && field)
        field.isPage ||= pageField.test(editor.source(element.end, end.start))
      if (element.name === 'w:fldSimple' && pageField.test(element.attributes['w:instr'] ?? ''))
        editor.replace(end.end, end.end, `<w:r>${dash(' -')}</w:r>`)
      if (element.name !== 'w:fldChar' || element.attributes['w:fldCharType'] !== 'end') return
      fields.pop()
      if (!field?.isPage) return
      editor.replace(field.begin.start, field.begin.start, dash('- '))
      editor.replace(end.end, end.end, dash(' -'))
    },
  }
}

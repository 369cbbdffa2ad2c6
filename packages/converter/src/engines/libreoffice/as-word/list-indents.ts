import type { XmlVisitor } from '../../../package/edit-xml.ts'

// A level of a list that belongs to a style, such as a heading, replaces the indents that the style inherits, also if
// the level has none. LibreOffice keeps the inherited ones in this case, so the style gets an indent of 0.

/** The styles of the levels in `word/numbering.xml` that have no indents. */
export function stylesWithoutIndent(numbering: string): ReadonlySet<string> {
  const [, ...levels] = numbering.split('<w:lvl ')
  const styles = levels.flatMap((level) => {
    const own = level.slice(0, Math.max(0, level.indexOf('</w:lvl>')))
    const style = /<w:pStyle w:val="([^"]*)"/.exec(own)?.[1]
    return style === undefined || own.includes('<w:ind') ? [] : [style]
  })
  return new Set(styles)
}

/** Edits those styles in `word/styles.xml`. */
export function noIndentVisitor(styles: ReadonlySet<string>): XmlVisitor {
  let hasIndent = true
  return {
    open({ name, attributes }) {
      if (name === 'w:style') hasIndent = !styles.has(attributes['w:styleId'] ?? '')
      else if (name === 'w:ind') hasIndent = true
    },
    close({ name, isSelfClosing }, end, editor) {
      if (name !== 'w:pPr' || hasIndent || isSelfClosing) return
      hasIndent = true
      editor.replace(end.start, end.start, '<w:ind w:left="0" w:firstLine="0"/>')
    },
  }
}

import { childOf, descendants, editTree, type XmlNode } from '../../../package/edit-xml.ts'

// LibreOffice imports a link of a slide as a field. It breaks a field anywhere, also within words, and sets the text
// that follows a broken field on top of it; a space at the end of a field begins a line if only that does not fit. So
// each word of a link becomes a link of its own, and its spaces become text of the same appearance.

/** Properties are repeated for each word. A link with more of them stays as it is. */
const maxAdded = 1024 * 1024

/** Fields are neutral in bidirectional text, where links of one word each would change their order. */
export const isFromLeft = (parts: readonly string[]): boolean =>
  !parts.some((xml) => / rtl="(?:1|true)"/.test(xml))

const fromRight = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
/** For a deck from left to right. Not combined with other edits, which would change only the first word. */
export const splitLinks = (slide: string): string =>
  slide.includes('<a:hlinkClick')
    ? editTree(slide, (root, editor) => {
        let room = maxAdded
        for (const run of descendants(root)) {
          const properties = childOf(run, 'a:rPr')
          const text = childOf(run, 'a:t')
          if (run.name !== 'a:r' || !properties || !text || !childOf(properties, 'a:hlinkClick')) continue
          const words = editor.source(text.end, text.closeStart)
          const pieces = words.split(/( +)/).filter((piece) => piece !== '')
          const spaces = pieces.filter((piece) => piece.startsWith(' ')).length
          if (spaces === 0 || fromRight.test(words)) continue
          const ofWords = editor.source(properties.start, properties.closeEnd)
          const ofSpaces = spaceProperties(ofWords)
          const added = spaces * (ofWords.length + ofSpaces.length)
          if (added > room) continue
          room -= added
          const runs = pieces.map((piece) => `${piece.startsWith(' ') ? ofSpaces : ofWords}<a:t>${piece}`)
          editor.replace(properties.start, text.closeStart, runs.join('</a:t></a:r><a:r>'))
        }
      })
    : slide

const fills = new Set(['a:noFill', 'a:solidFill', 'a:gradFill', 'a:blipFill', 'a:pattFill', 'a:grpFill'])

/** The properties of a link as those of text: underlined, and in the colour of links unless it has its own. */
const spaceProperties = (properties: string): string =>
  editTree(properties, (root, editor) => {
    if ((root.attributes.u ?? 'none') === 'none') editor.setAttributes(root, { u: 'sng' })
    for (const { name, start, closeEnd } of root.children)
      if (name.startsWith('a:hlink')) editor.replace(start, closeEnd, '')
    if (root.children.some(({ name }) => fills.has(name))) return
    const at = afterLine(root)
    editor.replace(at, at, '<a:solidFill><a:schemeClr val="hlink"/></a:solidFill>')
  })

/** A fill follows the line, which is the first property if there is one. */
const afterLine = (properties: XmlNode): number => childOf(properties, 'a:ln')?.closeEnd ?? properties.end

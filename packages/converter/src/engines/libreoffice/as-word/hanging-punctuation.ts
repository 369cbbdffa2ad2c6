import type { XmlVisitor } from '../../../package/edit-xml.ts'

// Punctuation that hangs over the end of an East Asian line (`w:overflowPunct`).
//
// LibreOffice reads the setting inverted: a paragraph that switches it off gets hanging punctuation, and one that
// switches it on loses it. So every value is written inverted.
//
// It is on where nothing is said. But Word lets a full-width mark hang only where it may compress the mark to half its
// width (`w:characterSpacingControl`): what hangs is the blank half. Otherwise the mark takes the character before it to
// the next line. LibreOffice leaves the whole mark outside, so it is switched off in documents without compression.

const isOff = (value: string | undefined): boolean => ['0', 'false', 'off'].includes(value ?? '1')

/** For all parts with paragraph properties. */
export const hangingVisitor: XmlVisitor = {
  open(element, editor) {
    if (element.name === 'w:overflowPunct')
      editor.setAttributes(element, { 'w:val': isOff(element.attributes['w:val']) ? '1' : '0' })
  },
}

export const compressesPunctuation = (settings: string): boolean =>
  /<w:characterSpacingControl\s[^<>]*"compressPunctuation/.test(settings)

const switchedOff = '<w:overflowPunct w:val="1"/>'

/** Switches it off in the default paragraph style of `word/styles.xml`. What the style itself says comes later. */
export function noHangingVisitor(): XmlVisitor {
  let isDefault = false
  return {
    open({ name, attributes, isSelfClosing, start, end }, editor) {
      if (name === 'w:style')
        isDefault = attributes['w:type'] === 'paragraph' && attributes['w:default'] === '1'
      if (!isDefault || name !== 'w:pPr') return
      isDefault = false
      if (isSelfClosing) editor.replace(start, end, `<w:pPr>${switchedOff}</w:pPr>`)
      else editor.replace(end, end, switchedOff)
    },
    close({ name, isSelfClosing }, end, editor) {
      if (name !== 'w:style' || !isDefault || isSelfClosing) return
      isDefault = false
      editor.replace(end.start, end.start, `<w:pPr>${switchedOff}</w:pPr>`)
    },
  }
}

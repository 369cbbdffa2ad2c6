import type { XmlElement } from '../../../package/edit-xml.ts'

// Where the properties of a run or of a list level are, and where fonts are added to them.

export interface Range {
  start: number
  end: number
}

/** State of a run or a list level while it is parsed. */
export interface Holder {
  element: XmlElement
  properties?: Range
  /** The end of the start tag of `w:rPr`, or of the `w:rStyle` that must come first in it. */
  fontsAt?: number
  fonts?: XmlElement
}

/** Records the properties of a run or level; `parent` is the parent of `element`. */
export function readProperties(holder: Holder, element: XmlElement, parent: XmlElement | undefined): void {
  if (element.name === 'w:rPr' && parent === holder.element) {
    holder.properties = element
    holder.fontsAt = element.end
  } else if (parent?.name === 'w:rPr' && parent.start === holder.properties?.start) {
    if (element.name === 'w:rFonts') holder.fonts = element
    if (element.name === 'w:rStyle') holder.fontsAt = element.end
  }
}

import type { XmlEditor, XmlElement, XmlVisitor } from '../../../package/edit-xml.ts'

// Word marks where its pages began when it saved a document (`w:lastRenderedPageBreak`). LibreOffice's lines differ by
// fractions of a point, so now and then a page gets one or two more lines than in Word, and all that follows is
// shifted. So the first lines of Word's pages are kept together, except in tables: they move to the next page where only
// a part of them fits. A page break instead would give a page of their own to the few
// lines that are left where LibreOffice's page is longer than Word's.

/** Lines that are kept together; a longer paragraph is not changed. */
const keptLines = 8
const columnsPerLine = 80

interface Paragraph {
  element: XmlElement
  properties?: XmlElement
  /** Names of its properties: what the document says takes precedence. */
  own: Set<string>
  /** Where properties are added: the style comes first. */
  addAt: number
  hasContent: boolean
  startsPage: boolean
  /** Length of its text, where East Asian characters count twice. */
  columns: number
}

const tall: ReadonlySet<string> = new Set(['w:drawing', 'w:pict', 'w:object'])
const content: ReadonlySet<string> = new Set([...tall, 'w:t', 'w:tab', 'w:br'])

export const hasPageStarts = (xml: string): boolean => xml.includes('<w:lastRenderedPageBreak')

/** For `word/document.xml`. */
export function pageStartVisitor(): XmlVisitor {
  const path: XmlElement[] = []
  let paragraph: Paragraph | undefined
  // Those inside a paragraph belong to its text boxes.
  let paragraphs = 0
  let tables = 0
  let linesLeft = 0

  function readContent(open: Paragraph, { name }: XmlElement): void {
    if (name === 'w:lastRenderedPageBreak') open.startsPage ||= !open.hasContent
    if (!content.has(name)) return
    open.hasContent = true
    if (tall.has(name)) open.columns += keptLines * columnsPerLine
  }

  function closeParagraph(closed: Paragraph, editor: XmlEditor): void {
    if (closed.startsPage) linesLeft = keptLines
    if (linesLeft <= 0) return
    const lines = Math.max(1, Math.ceil(closed.columns / columnsPerLine))
    if (lines <= keptLines)
      add(closed, lines < linesLeft ? ['w:keepNext', 'w:keepLines'] : ['w:keepLines'], editor)
    linesLeft -= lines
  }

  return {
    open(element) {
      const { name } = element
      if (name === 'w:tbl') {
        tables += 1
        linesLeft = 0
      } else if (tables === 0 && name === 'w:p') {
        paragraphs += 1
        if (paragraphs === 1) paragraph = openParagraph(element)
      } else if (tables === 0 && paragraph && paragraphs === 1) {
        readProperties(paragraph, element, path.at(-1))
        readContent(paragraph, element)
      }
      path.push(element)
    },
    close({ name, end }, { start }, editor) {
      path.pop()
      if (name === 'w:tbl') tables -= 1
      if (tables > 0) return
      if (name === 'w:t' && paragraph && paragraphs === 1)
        paragraph.columns += columnsOf(editor.source(end, start))
      else if (name === 'w:p') {
        paragraphs -= 1
        if (paragraphs > 0 || !paragraph) return
        closeParagraph(paragraph, editor)
        paragraph = undefined
      }
    },
  }
}

const openParagraph = (element: XmlElement): Paragraph => ({
  element,
  own: new Set(),
  addAt: element.end,
  hasContent: false,
  startsPage: false,
  columns: 0,
})

function readProperties(open: Paragraph, element: XmlElement, parent: XmlElement | undefined): void {
  if (element.name === 'w:pPr' && parent === open.element) {
    open.properties = element
    open.addAt = element.end
  } else if (parent && parent === open.properties) {
    open.own.add(element.name)
    if (element.name === 'w:pStyle') open.addAt = element.end
  }
}

function add(
  { element, properties, own, addAt }: Paragraph,
  names: readonly string[],
  editor: XmlEditor,
): void {
  const added = names.filter((name) => !own.has(name)).map((name) => `<${name}/>`)
  if (element.isSelfClosing || added.length === 0) return
  const whole = `<w:pPr>${added.join('')}</w:pPr>`
  if (properties?.isSelfClosing) editor.replace(properties.start, properties.end, whole)
  else editor.replace(addAt, addAt, properties ? added.join('') : whole)
}

const eastAsian = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60]/g

const columnsOf = (text: string): number => text.length + (text.match(eastAsian)?.length ?? 0)

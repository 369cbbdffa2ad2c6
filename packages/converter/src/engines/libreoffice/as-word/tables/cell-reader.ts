import type { XmlElement } from '../../../../package/edit-xml.ts'
import { fontOf } from '../run-fonts.ts'
import type { Attributes, Properties, Styles } from '../style-sheet.ts'
import type { WordDocument } from '../word-document.ts'
import { createCellText, type TextFormat } from './cell-text.ts'
import { type OpenCell, type OpenTable, partsOf, readTwips } from './open-table.ts'

// Reads the paragraphs and runs of a table's cells sequentially and measures their text.

export interface CellReader {
  openCell(): void
  openParagraph(): void
  openRun(): void
  setParagraphProperty(element: XmlElement): void
  setRunProperty(element: XmlElement): void
  /** An element of a run other than text, or the size of a picture. */
  readContent(table: OpenTable, element: XmlElement): void
  readText(table: OpenTable, letters: string): void
  /** Stores the widths in the cell. */
  closeCell(table: OpenTable, cell: OpenCell): void
}

const emuPerTwip = 635
const twipsPerHalfPoint = 10
const defaultHalfPoints = 20

export function createCellReader(document: WordDocument): CellReader {
  let text = createCellText()
  let paragraph = new Map<string, Attributes>()
  let isStarted = false
  let run = new Map<string, Attributes>()
  let format: TextFormat | undefined

  const stylesIn = (table: OpenTable): Styles => ({
    runStyle: run.get('w:rStyle')?.['w:val'],
    paragraphStyle: paragraph.get('w:pStyle')?.['w:val'],
    tableStyle: table.style,
    tableParts: partsOf(table.look, table.rows === 1, table.cells.at(-1)?.column === 0),
  })

  function startParagraph(table: OpenTable): void {
    if (isStarted) return
    isStarted = true
    const styles = stylesIn(table)
    const find = <T>(read: (properties: Properties) => T | undefined) =>
      read(paragraph) ?? document.sheet().ofParagraph(styles, read)
    const indent = (...names: readonly string[]) =>
      find((properties) => {
        const own = properties.get('w:ind')
        return names.some((name) => own?.[name] !== undefined) ? readTwips(own, ...names) : undefined
      }) ?? 0
    const sides = indent('w:left', 'w:start') + indent('w:right', 'w:end')
    text.startParagraph(sides + indent('w:firstLine') - indent('w:hanging'), sides)
    // A list item has a label before its text.
    if (find((properties) => properties.get('w:numPr'))) table.isUnknown = true
  }

  function readText(table: OpenTable, letters: string): void {
    startParagraph(table)
    if (table.isUnknown || flagIn(run.get('w:vanish'))) return
    format ??= formatOf(document, run, stylesIn(table))
    if (format) text.add(letters, format)
    else table.isUnknown = true
  }

  return {
    openCell() {
      text = createCellText()
    },
    openParagraph() {
      paragraph = new Map()
      isStarted = false
    },
    openRun() {
      run = new Map()
      format = undefined
    },
    setParagraphProperty: ({ name, attributes }) => paragraph.set(name, attributes),
    setRunProperty: ({ name, attributes }) => run.set(name, attributes),
    readContent(table, { name, attributes }) {
      const cell = table.cells.at(-1)
      if (name === 'w:br' || name === 'w:cr') text.endLine()
      else if (name === 'w:softHyphen') text.endWord()
      else if (name === 'w:noBreakHyphen') readText(table, '\u2011')
      else if (name === 'w:tab' && cell) {
        text.endWord()
        cell.hasTabs = true
      } else if (name === 'wp:extent') {
        startParagraph(table)
        text.addObject(Number(attributes['cx'] ?? 0) / emuPerTwip)
      }
    },
    readText,
    closeCell(table, cell) {
      text.endLine()
      cell.min = text.min
      cell.max = text.max
      if (!text.isKnown) table.isUnknown = true
    },
  }
}

/** Undefined if the theme has no such font. */
function formatOf(document: WordDocument, run: Properties, styles: Styles): TextFormat | undefined {
  const sheet = document.sheet()
  const find = <T>(read: (properties: Properties) => T | undefined) => read(run) ?? sheet.ofRun(styles, read)
  const number = (name: string) => find((properties) => numberIn(properties.get(name)))
  const isOn = (name: string) => find((properties) => flagIn(properties.get(name))) ?? false
  const family = document.familyOf(fontOf(sheet, { ...styles, fonts: run.get('w:rFonts') }, 'ascii'))
  return family === undefined
    ? undefined
    : {
        family,
        size: (number('w:sz') ?? defaultHalfPoints) * twipsPerHalfPoint,
        spacing: number('w:spacing') ?? 0,
        isBold: isOn('w:b'),
        isItalic: isOn('w:i'),
        isCaps: isOn('w:caps'),
      }
}

function numberIn(attributes: Attributes | undefined): number | undefined {
  const value = Number.parseFloat(attributes?.['w:val'] ?? '')
  return Number.isFinite(value) ? value : undefined
}

const flagIn = (attributes: Attributes | undefined): boolean | undefined =>
  attributes && !['0', 'false', 'off'].includes(attributes['w:val'] ?? '')

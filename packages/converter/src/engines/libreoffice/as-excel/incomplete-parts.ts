import { editTree, type XmlNode } from '../../../package/edit-xml.ts'
import { localName } from './workbook-styles.ts'

// Workbooks of other programs omit what Excel always writes. Excel assumes what is missing, LibreOffice does not.

const hasIncompleteFont = (styles: string): boolean => {
  const start = styles.search(/<(?:\w+:)?fonts[\s>]/)
  const fonts = start < 0 ? '' : styles.slice(start, styles.search(/<\/(?:\w+:)?fonts>/))
  const count = (pattern: RegExp) => fonts.match(pattern)?.length ?? 0
  const wanted = count(/<(?:\w+:)?font[\s/>]/g)
  return count(/<(?:\w+:)?name\s/g) < wanted || count(/<(?:\w+:)?sz\s/g) < wanted
}

/** Gives fonts of cells without a name or size, which openpyxl writes, those of the first font. */
export const completeFonts = (styles: string): string =>
  hasIncompleteFont(styles)
    ? editTree(styles, (root, editor) => {
        const fonts = root.children.find(({ name }) => localName(name) === 'fonts')?.children ?? []
        const has = (font: XmlNode | undefined, wanted: string) =>
          font?.children.find(({ name }) => localName(name) === wanted)
        const standard = ['sz', 'name'].flatMap((wanted) => has(fonts[0], wanted) ?? [])
        for (const font of fonts.slice(1)) {
          const missing = standard
            .filter(({ name }) => !has(font, localName(name)))
            .map(({ start, closeEnd }) => editor.source(start, closeEnd))
            .join('')
          const tag = editor.source(font.start, font.end).replace(/\/>$/, '>')
          if (missing === '') continue
          if (font.isSelfClosing) editor.replace(font.start, font.end, `${tag}${missing}</${font.name}>`)
          else editor.replace(font.closeStart, font.closeStart, missing)
        }
      })
    : styles

const printRanges = /(<(?:\w+:)?definedName\s[^<>]*"_xlnm\.Print_(?:Titles|Area)"[^<>]*>)([^<>]+)/g
const cellReference = /'(?:[^']|'')*'|([!:])([A-Z]{1,3})?(\d{1,7})?(?=[:,]|$)/g

/** Makes print ranges absolute. LibreOffice ignores relative ones. */
export const fixPrintRanges = (workbook: string): string =>
  workbook.replaceAll(
    printRanges,
    (_, tag: string, ranges: string) =>
      tag +
      ranges.replaceAll(cellReference, (all, before?: string, column?: string, row?: string) =>
        before === undefined ? all : before + (column ? `$${column}` : '') + (row ? `$${row}` : ''),
      ),
  )

import type { Properties } from '../style-sheet.ts'
import { readTwips } from './open-table.ts'

// What Word takes where a section says nothing: a page in the size Letter with margins of an inch.
const defaultPage = 12_240
const defaultMargin = 1440
const defaultGap = 720

/** How wide the text of a section is, in one column of the page; undefined where its columns differ. */
export function sectionWidth(section: Properties): number | undefined {
  const columns = section.get('w:cols')
  const count = Math.max(1, readTwips(columns, 'w:num'))
  if (count > 1 && columns?.['w:equalWidth'] === '0') return undefined
  const twips = (element: string, name: string, otherwise: number) => {
    const attributes = section.get(element)
    return attributes?.[name] === undefined ? otherwise : readTwips(attributes, name)
  }
  const sides = twips('w:pgMar', 'w:left', defaultMargin) + twips('w:pgMar', 'w:right', defaultMargin)
  const page = twips('w:pgSz', 'w:w', defaultPage) - sides - twips('w:pgMar', 'w:gutter', 0)
  const width = (page - (count - 1) * twips('w:cols', 'w:space', defaultGap)) / count
  return width > 0 ? width : undefined
}

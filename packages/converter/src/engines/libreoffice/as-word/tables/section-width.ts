import type { Properties } from '../style-sheet.ts'
import { readTwips } from './open-table.ts'

// Word's defaults: a Letter page with margins of one inch.
const defaultPage = 12_240
const defaultMargin = 1440
const defaultGap = 720

/** Width of a section's text in one column of the page; undefined if its columns differ. */
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

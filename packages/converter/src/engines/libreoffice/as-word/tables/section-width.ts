import type { Properties } from '../style-sheet.ts'
import { readTwips } from './open-table.ts'

const defaultGap = 720

/** How wide the text of a section is, in one column of the page; undefined where its properties do not say it. */
export function sectionWidth(section: Properties): number | undefined {
  const page = readTwips(section.get('w:pgSz'), 'w:w')
  const margins = section.get('w:pgMar')
  const columns = section.get('w:cols')
  const count = Math.max(1, readTwips(columns, 'w:num'))
  if (page <= 0 || !margins || (count > 1 && columns?.['w:equalWidth'] === '0')) return undefined
  const outside = ['w:left', 'w:right', 'w:gutter'].reduce((sum, name) => sum + readTwips(margins, name), 0)
  const gap = columns?.['w:space'] === undefined ? defaultGap : readTwips(columns, 'w:space')
  return (page - outside - (count - 1) * gap) / count
}

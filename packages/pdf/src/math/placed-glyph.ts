import type { Glyph } from '../read/page.ts'
import type { Formula } from './tree.ts'

/** Optional, because most glyphs have none of these properties. */
export interface PlacedGlyph extends Glyph {
  script?: 'super' | 'sub'
  underline?: boolean
  strike?: boolean
  math?: Formula
  /** Only for scripts: the glyph that it was made from, for its position in paint order. */
  painted?: PlacedGlyph
}

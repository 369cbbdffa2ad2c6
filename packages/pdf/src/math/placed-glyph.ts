import type { Glyph } from '../read/page.ts'
import type { Formula } from './tree.ts'

/** Most glyphs have none of these, so they are set only where they are true. */
export interface PlacedGlyph extends Glyph {
  script?: 'super' | 'sub'
  underline?: boolean
  strike?: boolean
  math?: Formula
  /** Of a script: the glyph that it was made from, as it stands in the order of the page. */
  painted?: PlacedGlyph
}

import type { Attributes, StyleSheet, Styles } from './style-sheet.ts'

// The font of a run for one kind of characters.

type Slot = 'ascii' | 'eastAsia'

/** A family, or a reference to a theme font. */
export interface FontReference {
  theme?: string
  family?: string
}

export interface RunStyles extends Styles {
  /** Attributes of the run's own `w:rFonts`. */
  fonts?: Attributes | undefined
}

export const fontOf = (
  sheet: StyleSheet,
  { fonts, ...styles }: RunStyles,
  slot: Slot,
): FontReference | undefined =>
  referenceIn(fonts, slot) ?? sheet.ofRun(styles, (run) => referenceIn(run.get('w:rFonts'), slot))

function referenceIn(fonts: Attributes | undefined, slot: Slot): FontReference | undefined {
  const theme = fonts?.[`w:${slot}Theme`]
  const family = fonts?.[`w:${slot}`]
  return theme !== undefined ? { theme } : family === undefined ? undefined : { family }
}

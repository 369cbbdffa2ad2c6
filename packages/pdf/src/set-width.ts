import { familyOf } from './font-names.ts'
import { perFont } from './per-font.ts'
import type { Font } from './read/page.ts'
import { type SubstituteFamily, widthIn } from './substitute-widths.ts'

// The width of text in the font that the output names for it.

export const substituteFor = perFont((font: Font): SubstituteFamily | undefined => {
  const { name } = familyOf(font)
  if (name === 'Times New Roman' || name === 'Liberation Serif') return font.bold ? 'serifBold' : 'serif'
  if (name === 'Arial' || name === 'Helvetica' || name === 'Liberation Sans')
    return font.bold ? 'sansBold' : 'sans'
  return undefined
})

/** Word specifies sizes in half points. */
export const setSize = (size: number): number => Math.max(1, Math.round(size * 2) / 2)

/** Undefined if the table does not cover the text: italic serif fonts have different widths. */
export function setWidth(
  style: { font: Font; size: number; italic: boolean },
  text: string,
  spacing: ReadonlyMap<Font, number>,
): number | undefined {
  const family = substituteFor(style.font)
  if (!family || (style.italic && family.startsWith('serif'))) return undefined
  const { width, known } = widthIn(family, text)
  if (known < text.length) return undefined
  return (width + text.length * (spacing.get(style.font) ?? 0)) * setSize(style.size)
}

const spaces: [RegExp, number][] = [
  [/^(Times New Roman|Liberation Serif)$/, 0.25],
  [/^(Arial|Helvetica|Liberation Sans)$/, 0.278],
  [/^(Calibri|Carlito)$/, 0.226],
  [/^(Cambria|Caladea)$/, 0.22],
  [/^(Courier New|Liberation Mono)$/, 0.6],
]

/** Width of a font's space, in ems. */
export function spaceIn(font: Font, spacing: ReadonlyMap<Font, number>): number | undefined {
  const { name } = familyOf(font)
  const own = spaces.find(([pattern]) => pattern.test(name))?.[1]
  return own === undefined ? undefined : own + (spacing.get(font) ?? 0)
}

import type { Parts } from '../../../package/edit-package.ts'
import { classOfFamily, classOfPanose, type DocumentFont, type FontClass, familyOf } from '../font-rules.ts'

// Text in a deck names a font with its PANOSE classification and, as one number, its pitch and Windows font family
// class. For a missing font PowerPoint uses Times New Roman or Courier New if these indicate it, and otherwise Calibri,
// which is in the rules for all documents (fonts/fontconfig.ts).

const fontElement = /<a:(?:latin|ea|cs) ([^<>]{1,400})>/g
const attribute = /(typeface|panose|pitchFamily)="([^"]{1,100})"/g

export function readDeckFonts(parts: Parts): DocumentFont[] {
  const classes = new Map<string, FontClass>()
  for (const [name, xml] of parts) {
    if (!name.endsWith('.xml')) continue
    for (const [, attributes = ''] of xml.matchAll(fontElement)) {
      const { typeface, panose, pitchFamily } = Object.fromEntries(
        Array.from(attributes.matchAll(attribute), ([, key = '', value = '']) => [key, value]),
      )
      if (!typeface || typeface.startsWith('+') || classes.has(typeface)) continue
      const found = classOfPitchFamily(Number(pitchFamily ?? 0)) ?? classOfPanose(panose)
      if (found) classes.set(typeface, found)
    }
  }
  return [...classes]
    .filter(([, found]) => found !== 'sans')
    .map(([name, found]) => ({ name, family: familyOf[found] }))
}

/** The pitch is in bits 0 and 1, the class in bits 4 to 7. */
const classOfPitchFamily = (value: number): FontClass | undefined =>
  classOfFamily(windowsClasses[value >> 4], (value & 3) === 1)

const windowsClasses = [undefined, 'roman', 'swiss', 'modern'] as const

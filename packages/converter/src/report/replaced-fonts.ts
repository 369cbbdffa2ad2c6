import type { ReplacedFont } from '@kiln/contract'
import { familyOfClass, type SubstituteFont, substituteFonts } from '../engines/fonts.ts'

// Which fonts of a document were replaced, and by which. Two lists are known: the fonts that the document names for
// visible text, and the fonts in the output, which is authoritative. A substitute font in the output was used for the
// font that it substitutes; a named font in the output was not replaced; a named font whose substitute is not in the
// output was not used; and a named font that is not in the output and has no substitute was replaced by a fallback
// font. Documents whose font names cannot be read (old binary formats) still report their substitutes.

/** Free fonts that were drawn to the widths of others; programs take them by the rules of the system. */
const sameWidths: Readonly<Record<string, readonly string[]>> = {
  'Nimbus Roman': ['Times'],
  'Nimbus Sans': ['Helvetica'],
  'Nimbus Mono PS': ['Courier'],
  'Liberation Sans': ['Arial', 'Helvetica', 'Microsoft Sans Serif', 'MS Sans Serif', 'Arial Unicode MS'],
  'Liberation Serif': ['Times New Roman', 'Times'],
  'Liberation Mono': ['Courier New', 'Courier'],
}

export function replacedFonts(asked: readonly string[], used: readonly string[]): ReplacedFont[] {
  const names = new Map(asked.map((name) => [keyOf(name), name.trim()]))
  const usedKeys = new Map(used.map((name) => [keyOf(withoutStyle(name)), familyName(name)]))
  const replaced: ReplacedFont[] = []
  const explained = new Set<string>()
  const explain = (
    wanted: readonly string[],
    usedKey: string,
    by: string,
    widths: ReplacedFont['widths'],
  ) => {
    const known = wanted.filter(
      (each) => names.has(keyOf(each)) && !usedKeys.has(keyOf(each)) && !explained.has(keyOf(each)),
    )
    if (known.length > 0 || names.size === 0) explained.add(usedKey)
    for (const each of known) {
      replaced.push({ font: names.get(keyOf(each)) ?? each, by, widths })
      explained.add(keyOf(each))
    }
    return known.length
  }
  for (const row of substituteFonts) {
    const key = keyOf(row.name)
    // A substitute for no font in particular replaces any missing font.
    if (!usedKeys.has(key) || row.for.length === 0) continue
    const found = explain(row.for, key, describe(row), row.fit)
    explained.add(key)
    // The document is of a kind whose font names we do not read, or asked for it in a way that we do not see.
    if (found === 0) replaced.push({ font: row.for[0] ?? row.name, by: describe(row), widths: row.fit })
  }
  for (const [family, wanted] of Object.entries(sameWidths)) {
    if (usedKeys.has(keyOf(family))) explain(wanted, keyOf(family), family, 'same')
  }
  const left = [...usedKeys].filter(([key]) => !explained.has(key) && !names.has(key)).map(([, name]) => name)
  for (const [key, font] of names) {
    if (explained.has(key) || usedKeys.has(key) || left.length === 0) continue
    if (isGeneric(key) || hasSubstitute.has(key)) continue
    const ofClass = left.find((name) => name === familyOfClass(font))
    replaced.push({ font, by: ofClass ?? (left.length === 1 ? (left[0] ?? null) : null), widths: 'other' })
  }
  return replaced.sort((a, b) => order.indexOf(a.widths) - order.indexOf(b.widths))
}

const hasSubstitute: ReadonlySet<string> = new Set(
  [...substituteFonts.flatMap((row) => row.for), ...Object.values(sameWidths).flat()].map((name) =>
    keyOf(name),
  ),
)

/** The most significant first. */
const order: readonly ReplacedFont['widths'][] = ['other', 'near', 'same']

const describe = ({ name, bases }: SubstituteFont): string => {
  const base = Object.values(bases)[0]?.replace(/\.\w+( \d+)?$/, '')
  return base === undefined ? name : `${name}, made from ${familyName(base)}`
}

const isGeneric = (key: string) =>
  /^(serif|sansserif|monospace|cursive|fantasy|systemui|uiserif|uisansserif|uimonospace|inherit|initial)$/.test(
    key,
  )

/** `BAAAAA+LiberationSans-BoldItalic` names the family `LiberationSans`, `KilnSans1Bold` Kiln Sans 1. */
const withoutStyle = (postScriptName: string): string =>
  postScriptName
    .replace(/^[A-Z]{6}\+/, '')
    .replace(/^(Kiln[A-Z][a-z]+\d+).*$/, '$1')
    .replace(
      /[-,](?:Regular|Bold|Italic|Oblique|Light|Medium|Semi|Demi|Book|Black|Thin|Heavy|Roman|MT|It).*$/i,
      '',
    )
    .replace(/(?:PS)?MT$/, '')

/** For people: `DejaVuSans` is DejaVu Sans. */
const familyName = (postScriptName: string): string =>
  withoutStyle(postScriptName)
    .replaceAll(/(?<=[a-z])(?=[A-Z0-9])/g, ' ')
    .replace('Deja Vu', 'DejaVu')

function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, '')
}

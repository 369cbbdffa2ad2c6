import type { PackageEdit, Parts } from '../../../package/edit-package.ts'
import { nameBulletFonts } from './bullet-fonts.ts'
import type { Deck } from './deck.ts'
import { joinRuns } from './join-runs.ts'
import { paintShadows } from './shadows/shadows.ts'
import { keepShrunk } from './shrunk-text.ts'
import { numberSlides } from './slide-numbers.ts'
import { setTableLines } from './table-lines.ts'
import { turnTables } from './tables-from-right.ts'
import { nameThemeFonts } from './theme-fonts.ts'
import { underlineLinks } from './underline-links.ts'

// What PowerPoint reads in a deck and LibreOffice does not, said in words that LibreOffice reads.

const readParts =
  /^\[content_types\]\.xml$|^ppt\/(?:presentation\.xml|_rels\/presentation\.xml\.rels|slide(?:s|layouts|masters)\/(?:_rels\/)?slide(?:layout|master)?\d+\.xml(?:\.rels)?|diagrams\/drawing\d+\.xml|theme\/theme\d+\.xml)$/

export const powerPointEdit: PackageEdit = {
  reads: (name) => readParts.test(name),
  apply(parts) {
    const changed = changedParts(parts)
    const shadows = paintShadows(deckOf(new Map([...parts, ...changed])), parts.get('[content_types].xml'))
    return new Map<string, string | Buffer>([...changed, ...shadows])
  },
}

const steps = [
  nameThemeFonts,
  numberSlides,
  joinRuns,
  keepShrunk,
  setTableLines,
  underlineLinks,
  nameBulletFonts,
  turnTables,
] as const

/** Each step finds what the ones before it have changed. */
export function changedParts(parts: Parts): Parts {
  const changed = new Map<string, string>()
  for (const step of steps)
    for (const [name, xml] of step(deckOf(new Map([...parts, ...changed])))) changed.set(name, xml)
  return changed
}

function deckOf(parts: Parts): Deck {
  const matching = (pattern: RegExp) => new Map([...parts].filter(([name]) => pattern.test(name)))
  return {
    slides: matching(/^ppt\/slides\/slide/),
    backgrounds: matching(/^ppt\/slide(?:layouts|masters)\/slide/),
    diagrams: matching(/^ppt\/diagrams\//),
    themes: matching(/^ppt\/theme\//),
    presentation: parts.get('ppt/presentation.xml') ?? '',
    relations: matching(/\.rels$/),
  }
}

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

// What PowerPoint reads in a deck and LibreOffice does not, expressed in ways that LibreOffice reads.

const readParts =
  /^\[content_types\]\.xml$|^ppt\/(?:presentation\.xml|_rels\/presentation\.xml\.rels|slide(?:s|layouts|masters)\/(?:_rels\/)?slide(?:layout|master)?\d+\.xml(?:\.rels)?|diagrams\/drawing\d+\.xml|theme\/theme\d+\.xml)$/

export const powerPointEdit: PackageEdit = {
  reads: (name) => readParts.test(name),
  apply(parts) {
    const deck = openDeck(parts)
    runSteps(deck)
    deck.change(paintShadows(deck, parts.get('[content_types].xml')))
    return deck.changed
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

/** Each step sees the changes of the steps before it. */
function runSteps(deck: OpenDeck): void {
  for (const step of steps) deck.change(step(deck))
}

/** The parts that the steps change, without the shadows. */
export function changedParts(parts: Parts): Parts {
  const deck = openDeck(parts)
  runSteps(deck)
  return new Map(Array.from(deck.changed, ([name, xml]) => [name, String(xml)]))
}

interface OpenDeck extends Deck {
  readonly changed: ReadonlyMap<string, string | Buffer>
  /** Replaces parts of the package, and adds new ones. */
  change(parts: ReadonlyMap<string, string | Buffer>): void
}

function openDeck(parts: Parts): OpenDeck {
  const matching = (pattern: RegExp) => new Map([...parts].filter(([name]) => pattern.test(name)))
  const maps = {
    slides: matching(/^ppt\/slides\/slide/),
    backgrounds: matching(/^ppt\/slide(?:layouts|masters)\/slide/),
    diagrams: matching(/^ppt\/diagrams\//),
    themes: matching(/^ppt\/theme\//),
    relations: matching(/\.rels$/),
  }
  const changed = new Map<string, string | Buffer>()
  return {
    ...maps,
    presentation: parts.get('ppt/presentation.xml') ?? '',
    changed,
    change(changes) {
      for (const [name, content] of changes) {
        changed.set(name, content)
        for (const map of Object.values(maps))
          if (map.has(name) && typeof content === 'string') map.set(name, content)
      }
    },
  }
}

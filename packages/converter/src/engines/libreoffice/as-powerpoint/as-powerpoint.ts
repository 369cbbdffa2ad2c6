import { editPackage } from '../edit-package.ts'
import type { Deck } from './deck.ts'
import { joinRuns } from './join-runs.ts'
import { keepShrunk } from './shrunk-text.ts'
import { numberSlides } from './slide-numbers.ts'
import { nameThemeFonts } from './theme-fonts.ts'

// What PowerPoint reads in a deck and LibreOffice does not, said in words that LibreOffice reads.

const looksAt =
  /^ppt\/(?:presentation\.xml|_rels\/presentation\.xml\.rels|slide(?:s|layouts|masters)\/(?:_rels\/)?slide(?:layout|master)?\d+\.xml(?:\.rels)?|theme\/theme\d+\.xml)$/

/** Writes a copy to `target`; false when the deck needs none. */
export const asPowerPointShows = (source: string, target: string): Promise<boolean> =>
  editPackage(source, target, (name) => looksAt.test(name), changedParts)

export function changedParts(parts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const matching = (pattern: RegExp) => new Map([...parts].filter(([name]) => pattern.test(name)))
  const deck: Deck = {
    slides: matching(/^ppt\/slides\/slide/),
    backgrounds: matching(/^ppt\/slide(?:layouts|masters)\/slide/),
    themes: matching(/^ppt\/theme\//),
    presentation: parts.get('ppt/presentation.xml') ?? '',
    relations: matching(/\.rels$/),
  }
  const named = nameThemeFonts(deck)
  const numbered = numberSlides({ ...deck, slides: new Map([...deck.slides, ...named]) })
  const changed = new Map([...named, ...numbered])
  const now = (list: ReadonlyMap<string, string>) =>
    new Map([...list].map(([name, xml]) => [name, changed.get(name) ?? xml]))
  for (const [name, xml] of joinRuns(now(deck.slides))) changed.set(name, xml)
  for (const [name, xml] of keepShrunk(now(new Map([...deck.slides, ...deck.backgrounds]))))
    changed.set(name, xml)
  return changed
}

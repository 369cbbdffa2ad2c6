import { editPackage } from '../edit-package.ts'
import { numberSlides } from './slide-numbers.ts'
import { nameThemeFonts } from './theme-fonts.ts'

// What PowerPoint reads in a deck and LibreOffice does not, said in words that LibreOffice reads.

const looksAt =
  /^ppt\/(?:presentation\.xml|_rels\/presentation\.xml\.rels|(?:slides\/slide|theme\/theme)\d+\.xml)$/

export interface Deck {
  /** The slides' parts by name. */
  slides: ReadonlyMap<string, string>
  themes: ReadonlyMap<string, string>
  presentation: string
  /** What the presentation's relations are to. */
  relations: string
}

/** Writes a copy to `target`; false when the deck needs none. */
export const asPowerPointShows = (source: string, target: string): Promise<boolean> =>
  editPackage(source, target, (name) => looksAt.test(name), changedParts)

export function changedParts(parts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const under = (folder: string) => new Map([...parts].filter(([name]) => name.startsWith(folder)))
  const deck: Deck = {
    slides: under('ppt/slides/'),
    themes: under('ppt/theme/'),
    presentation: parts.get('ppt/presentation.xml') ?? '',
    relations: parts.get('ppt/_rels/presentation.xml.rels') ?? '',
  }
  const named = nameThemeFonts(deck)
  const numbered = numberSlides({ ...deck, slides: new Map([...deck.slides, ...named]) })
  return new Map([...named, ...numbered])
}

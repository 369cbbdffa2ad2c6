import type { PackageEdit, Parts } from '../../../package/edit-package.ts'
import { descendants, editTree, readTree, type XmlEditor, type XmlNode } from '../../../package/edit-xml.ts'
import { emboldenCells } from './bold-cells.ts'
import { nameBulletFonts, nameStyleBullets } from './bullet-fonts.ts'
import type { Deck } from './deck.ts'
import { fillEmptyFooter } from './empty-footers.ts'
import { joinRuns } from './join-runs.ts'
import { scaleSpacing } from './paragraph-spacing.ts'
import { createShadowPainter, type ShadowPainter } from './shadows/shadows.ts'
import { keepAutofit, shrinkText } from './shrunk-text.ts'
import { putBehind, readSlideNumbers, removeNumberedShapes, writeNumbers } from './slide-numbers.ts'
import { isFromLeft, splitLinks } from './split-links.ts'
import { setTableLines } from './table-lines.ts'
import { turnTables } from './tables-from-right.ts'
import { readDeckStyles, readTextStyles } from './text-styles.ts'
import { nameThemeFonts, readScripts } from './theme-fonts.ts'
import { underlineLinks } from './underline-links.ts'

// Features of a deck that PowerPoint reads and LibreOffice does not, expressed in ways that LibreOffice reads.

const readParts =
  /^\[content_types\]\.xml$|^ppt\/(?:presentation\.xml|tablestyles\.xml|_rels\/presentation\.xml\.rels|slide(?:s|layouts|masters)\/(?:_rels\/)?slide(?:layout|master)?\d+\.xml(?:\.rels)?|diagrams\/drawing\d+\.xml|theme\/theme\d+\.xml)$/

export const powerPointEdit: PackageEdit = {
  reads: (name) => readParts.test(name),
  apply(parts) {
    const deck = openDeck(parts)
    const { slides, backgrounds, presentation } = deck
    if (isFromLeft([...slides.values(), ...backgrounds.values(), presentation]))
      changeSlides(deck, splitLinks)
    const painter = createShadowPainter(deck, parts.get('[content_types].xml'))
    editDeck(deck, painter, parts.get('ppt/tablestyles.xml') ?? '')
    deck.change(painter.finish())
    return deck.changed
  },
}

/** Visits one element of a part, after its ancestors. */
type Step = (node: XmlNode, editor: XmlEditor) => void

function walk(root: XmlNode, editor: XmlEditor, steps: readonly Step[]): void {
  for (const node of descendants(root)) for (const step of steps) step(node, editor)
}

/**
 * Returns the changed parts. A part without any of the words is not parsed; an empty list of words selects every part.
 */
const editParts = (
  parts: ReadonlyMap<string, string>,
  words: readonly string[],
  edit: (name: string, root: XmlNode, editor: XmlEditor) => void,
): Map<string, string> => {
  const edited = [...parts]
    .filter(([, xml]) => words.length === 0 || words.some((word) => xml.includes(word)))
    .map(([name, xml]) => [name, editTree(xml, (root, editor) => edit(name, root, editor))] as const)
  return new Map(edited.filter(([name, xml]) => xml !== parts.get(name)))
}

/** A layout or master without any of these needs no change. */
const backgroundWords = [
  '"ftr"',
  '<a:normAutofit',
  '<a:buFontTx',
  '<a:effectLst',
  '<a:effectRef',
  '<a:spcPct',
]

/** Parses each part once. */
function editDeck(deck: OpenDeck, painter: ShadowPainter, tableStyles: string): void {
  const presentation = readTree(deck.presentation)
  const numbers = readSlideNumbers(deck, presentation)
  const stylesOf = readTextStyles(deck, presentation)
  const scripts = readScripts(deck)
  const hasScripts = scripts.ea !== undefined || scripts.cs !== undefined
  const themes = editParts(hasScripts ? deck.themes : new Map(), ['typeface=""'], (_, root, editor) =>
    walk(root, editor, [nameThemeFonts(scripts)]),
  )
  const namesBullets = deck.presentation.includes('<a:buFont ')
  const cellStyles = readDeckStyles(presentation)
  const embolden = emboldenCells(tableStyles)
  const slides = editParts(deck.slides, [], (name, root, editor) => {
    const number = numbers?.numbers.get(name)
    // Before the shadow of the first shape, which is inserted at the same position.
    if (numbers && number !== undefined) putBehind(root, numbers.behind(name, root), number, editor)
    painter.paintPart(name, root, editor)
    walk(root, editor, [
      ...(number === undefined ? [] : [writeNumbers(number)]),
      joinRuns,
      keepAutofit,
      shrinkText((shape) => stylesOf(name, shape)),
      setTableLines(cellStyles),
      embolden,
      scaleSpacing,
      underlineLinks,
      nameBulletFonts(namesBullets),
    ])
  })
  const backgrounds = editParts(
    deck.backgrounds,
    numbers ? [...backgroundWords, '"slidenum"'] : backgroundWords,
    (name, root, editor) => {
      painter.paintPart(name, root, editor)
      if (numbers) removeNumberedShapes(root, editor)
      walk(root, editor, [
        fillEmptyFooter,
        keepAutofit,
        shrinkText((shape) => stylesOf(name, shape)),
        nameStyleBullets,
        scaleSpacing,
      ])
    },
  )
  const diagrams = editParts(deck.diagrams, ['<a:buChar'], (_, root, editor) =>
    walk(root, editor, [nameBulletFonts(namesBullets)]),
  )
  for (const changes of [themes, slides, backgrounds, diagrams]) deck.change(changes)
  changeSlides(deck, turnTables)
}

/** For edits that cannot be combined with the others. */
function changeSlides(deck: OpenDeck, change: (xml: string) => string): void {
  const changed = [...deck.slides].map(([name, xml]) => [name, change(xml)] as const)
  deck.change(new Map(changed.filter(([name, xml]) => xml !== deck.slides.get(name))))
}

interface OpenDeck extends Deck {
  readonly changed: ReadonlyMap<string, string | Buffer>
  /** Replaces parts of the package and adds new ones. */
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

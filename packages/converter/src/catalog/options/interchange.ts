import { readAs } from '../formats.ts'
import type { FormatName, Pair } from '../pairs.ts'
import { picturesInMarkdown, picturesInPage } from './every-engine.ts'
import { choice, flag } from './kinds.ts'
import { rowsFor } from './option.ts'

// Markdown, HTML, EPUB, LaTeX, RST, DOCX and ODT among each other.

export interface InterchangeArgument {
  /** Arguments of pandoc. */
  args?: readonly string[]
  /** The kind of Markdown that is read or written. */
  markdown?: 'gfm' | 'commonmark' | 'pandoc'
  /** Environment variables that safe-document.lua reads. */
  environment?: Readonly<Record<string, string>>
}

const row = rowsFor<InterchangeArgument>()
/** Old text documents become docx first, of which pandoc makes the output. */
const byWayOfDocx = ({ engine, from, to }: Pair) =>
  engine === 'libreoffice' && (from === 'doc' || from === 'rtf') && ['md', 'html', 'epub', 'txt'].includes(to)
const all = (pair: Pair) => pair.engine === 'pandoc' || byWayOfDocx(pair)
const to =
  (...formats: readonly FormatName[]) =>
  (pair: Pair) =>
    all(pair) && formats.includes(pair.to)

const trackChanges = { 'left-out': 'accept', rejected: 'reject', shown: 'all' }

const contents = {
  name: 'toc',
  label: 'Table of contents',
  kind: flag,
  default: 'None.',
  example: true,
} as const
const pandocContents = (wanted: boolean) => ({ args: wanted ? ['--toc', '--toc-depth=3'] : [] })
const numbered = {
  name: 'numberSections',
  label: 'Numbered headings',
  kind: flag,
  description: 'Numbers headings: 1, 1.1, 1.2.',
  default: 'Not numbered.',
  example: true,
} as const

export const interchangeOptions = [
  row({
    ...contents,
    appliesTo: to('md', 'html', 'epub', 'latex', 'rst'),
    description: 'Table of contents before the text.',
    argument: pandocContents,
  }),
  row({
    ...contents,
    appliesTo: to('docx'),
    description: 'Table of contents before the text; Word fills it in on opening.',
    argument: pandocContents,
  }),
  row({
    ...contents,
    // Its writer leaves the table empty.
    appliesTo: to('odt'),
    description:
      'Table of contents with links before the text; updating it in the word processor adds page numbers.',
    argument: (wanted) => ({ environment: { KILN_CONTENTS: wanted ? 'yes' : '' } }),
  }),
  row({
    ...numbered,
    appliesTo: to('html', 'epub', 'latex', 'docx'),
    argument: (wanted) => ({ args: wanted ? ['--number-sections'] : [] }),
  }),
  row({
    ...numbered,
    // The writers of these formats do not support numbers.
    appliesTo: to('md', 'rst', 'odt'),
    argument: (wanted) => ({ environment: { KILN_NUMBER_SECTIONS: wanted ? 'yes' : '' } }),
  }),
  row({
    name: 'markdown',
    label: 'Markdown dialect',
    choiceLabels: { gfm: 'GitHub', commonmark: 'CommonMark', pandoc: 'pandoc' },
    appliesTo: (pair) => all(pair) && (pair.from === 'md' || pair.to === 'md'),
    kind: choice('gfm', 'commonmark', 'pandoc'),
    description: 'Markdown dialect to read or write.',
    default: 'Reads pandoc’s, leniently; writes GitHub’s with formulas.',
    example: 'commonmark',
    argument: (markdown) => ({ markdown }),
  }),
  row({
    name: 'trackedChanges',
    label: 'Tracked changes',
    appliesTo: (pair) => pair.to !== 'txt' && all(pair) && ['docx', 'doc', 'rtf'].includes(readAs(pair.from)),
    kind: choice('left-out', 'shown', 'rejected'),
    description:
      'Tracked changes: accepted (`left-out`); insertions underlined and deletions struck through (`shown`); or rejected.',
    default: 'Left out.',
    example: 'shown',
    argument: (way) => ({
      args: [`--track-changes=${trackChanges[way]}`],
      environment: { KILN_TRACKED_CHANGES: way },
    }),
  }),
  row({
    ...picturesInPage,
    appliesTo: to('html', 'epub', 'rst', 'docx', 'odt'),
    omits: (way) => (way === 'left-out' ? ['missing-pictures', 'remote-pictures'] : []),
    argument: (way) => ({ environment: { KILN_PICTURES: way } }),
  }),
  row({
    ...picturesInMarkdown,
    appliesTo: to('md'),
    omits: (way) => (way === 'left-out' ? ['missing-pictures', 'remote-pictures'] : []),
    argument: (way) => ({ environment: { KILN_PICTURES: way === 'left-out' ? way : 'embedded' } }),
  }),
]

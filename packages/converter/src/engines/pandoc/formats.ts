import type { FormatName } from '../../catalog/pairs.ts'

// Pandoc's names of formats. The reader is always forced from the pair, never guessed from the file.

export const interchangeFormats = ['md', 'html', 'epub', 'latex', 'rst', 'docx', 'odt'] as const
export type InterchangeFormat = (typeof interchangeFormats)[number]

/** Plain text is written and not read: any text is some Markdown. */
export type InterchangeTarget = InterchangeFormat | 'txt'

export const isInterchangeTarget = (name: FormatName): name is InterchangeTarget =>
  name === 'txt' || isInterchangeFormat(name)

export const isInterchangeFormat = (name: FormatName): name is InterchangeFormat =>
  (interchangeFormats as readonly string[]).includes(name)

// Pandoc's Markdown, made as lenient as real files need it: lists, headings and quotes need no blank line
// before them, and a bare address is a link.
const lenientMarkdown = [
  'markdown',
  '+lists_without_preceding_blankline',
  '+autolink_bare_uris',
  '+emoji',
  '-blank_before_header',
  '-blank_before_blockquote',
].join('')

const markdownReaders = { gfm: 'gfm', commonmark: 'commonmark', pandoc: 'markdown' } as const
const markdownWriters = {
  // The dialect that most Markdown programs support, with formulas.
  gfm: 'gfm+tex_math_dollars',
  commonmark: 'commonmark',
  pandoc: 'markdown',
} as const

export type MarkdownKind = keyof typeof markdownReaders

export const readerOf = (from: InterchangeFormat, markdown?: MarkdownKind): string =>
  from === 'md' && markdown ? markdownReaders[markdown] : readers[from]

export const writerOf = (to: InterchangeTarget, markdown?: MarkdownKind): string =>
  to === 'md' && markdown ? markdownWriters[markdown] : writers[to]

export const readers: Readonly<Record<InterchangeFormat, string>> = {
  md: lenientMarkdown,
  html: 'html',
  epub: 'epub',
  latex: 'latex',
  rst: 'rst',
  docx: 'docx',
  odt: 'odt',
}

export const writers: Readonly<Record<InterchangeTarget, string>> = {
  txt: 'plain',
  md: markdownWriters.gfm,
  html: 'html5',
  epub: 'epub3',
  latex: 'latex',
  rst: 'rst',
  docx: 'docx',
  odt: 'odt',
}

import type { FormatName } from '../../catalog/pairs.ts'

// What pandoc calls each format. The reader is always forced from the pair, never guessed from the file.

export const interchangeFormats = ['md', 'html', 'epub', 'latex', 'rst', 'docx', 'odt'] as const
export type InterchangeFormat = (typeof interchangeFormats)[number]

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

export const readers: Readonly<Record<InterchangeFormat, string>> = {
  md: lenientMarkdown,
  html: 'html',
  epub: 'epub',
  latex: 'latex',
  rst: 'rst',
  docx: 'docx',
  odt: 'odt',
}

export const writers: Readonly<Record<InterchangeFormat, string>> = {
  // What most Markdown programs understand, with formulas.
  md: 'gfm+tex_math_dollars',
  html: 'html5',
  epub: 'epub3',
  latex: 'latex',
  rst: 'rst',
  docx: 'docx',
  odt: 'odt',
}

// Formats that refer to further files: pictures, style sheets, parts. A document of theirs may come as a ZIP archive
// with all of them; see boxed/open-archive.ts.

const names = ['html', 'md', 'latex', 'rst'] as const

export type FormatWithParts = (typeof names)[number]

export const comesWithParts = (name: string): name is FormatWithParts =>
  (names as readonly string[]).includes(name)

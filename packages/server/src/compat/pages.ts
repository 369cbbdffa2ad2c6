// Markdown of a PDF with the option `pageMarks` marks the start of each page.

const pageMark = /^<!-- page \d+ -->\n*/m

/** The pages in order; a single page when there are no marks. */
export function splitPages(markdown: string): string[] {
  const parts = markdown.split(new RegExp(pageMark, 'gm'))
  // The first mark is at the start of the text.
  const pages = parts.length > 1 && parts[0]?.trim() === '' ? parts.slice(1) : parts
  return pages.map((page) => page.trim())
}

export const joinPages = (markdown: string, placeholder: string): string =>
  splitPages(markdown).join(placeholder === '' ? '\n\n' : `\n\n${placeholder}\n\n`)

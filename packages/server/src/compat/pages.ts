// Markdown of a PDF marks where each page began (option `pageMarks`).

const pageMark = /^<!-- page \d+ -->\n*/m

/** The pages in their order; one where there are no marks. */
export function splitPages(markdown: string): string[] {
  const parts = markdown.split(new RegExp(pageMark, 'gm'))
  // Before the first mark there is nothing.
  const pages = parts.length > 1 && parts[0]?.trim() === '' ? parts.slice(1) : parts
  return pages.map((page) => page.trim())
}

export const joinPages = (markdown: string, placeholder: string): string =>
  splitPages(markdown).join(placeholder === '' ? '\n\n' : `\n\n${placeholder}\n\n`)

export const escapeHtml = (text: string): string =>
  text
    // Control characters, and marks that change the writing direction: a name may not look like another.
    .replaceAll(/(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** Plain text as paragraphs with its line breaks. */
export const textHtml = (text: string): string =>
  text
    .trim()
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .map((part) => `<p style="white-space:pre-wrap">${escapeHtml(part).replaceAll(/\r?\n/g, '<br>')}</p>`)
    .join('\n')

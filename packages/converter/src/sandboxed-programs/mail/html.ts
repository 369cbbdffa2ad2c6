import { withoutTags } from '../../catalog/file-types/shown-text.ts'

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

/** The text of a page as paragraphs, without its looks. Character references stay. */
export const plainHtml = (html: string): string =>
  textHtml(
    withoutTags(html.replaceAll(/\s+/g, ' '), breakFor)
      .split('\n')
      .map((line) => line.trim())
      .join('\n'),
  ).replaceAll(/&amp;(#?\w{1,31};)/g, '&$1')

const block =
  /^<\/?(?:address|article|blockquote|body|d[dlt]|div|form|h[1-6r]|li|main|ol|p|pre|section|table|title|tr|ul)\b/i

function breakFor(tag: string): string {
  if (block.test(tag)) return '\n\n'
  if (/^<br\b/i.test(tag)) return '\n'
  return /^<t[dh]\b/i.test(tag) ? ' ' : ''
}

/** Elements of a page whose text is not displayed: those that hold no tags to their end, of others what comes first. */
const unseen =
  /<(script|style)\b[^<>]*(?<!\/)>[\s\S]*?(?:<\/\1\b[^<>]*>?|$)|<(?:head|template|svg)\b[^<>]*>[^<]*/gi

/** A tag ends at the first `>` outside of quoted values; one that does not end goes to the end, as in a browser. */
export const tag = /<[a-z/!?](?:[^>"'=]+|=\s*(?:"[^"]*"?|'[^']*'?)?|["'])*>?/gi

/** The text of a page or of XML, without its tags. */
export const shownText = (html: string): string =>
  withoutTags(html, () => ' ').replaceAll(/&[#\w]{1,20};/g, ' ')

/** The text of a page with its character references, and with what stands for each tag. */
export const withoutTags = (html: string, instead: (tag: string) => string): string =>
  withoutComments(html).replaceAll(unseen, ' ').replaceAll(tag, instead)

/** One that is not closed goes to the end, as in a browser. */
export function withoutComments(html: string): string {
  const [start = '', ...comments] = html.split('<!--')
  const afterEnd = (text: string) => (text.includes('-->') ? text.slice(text.indexOf('-->') + 3) : '')
  return [start, ...comments.map(afterEnd)].join(' ')
}

export const textBetweenTags = (xml: string, elements = />([^<>]+)/g): string =>
  [...xml.matchAll(elements)]
    .map(([, text = '']) => text)
    .join(' ')
    .replaceAll(/&[#\w]{1,20};/g, ' ')

/** Elements of a page that are not displayed. */
const unseen = /<(script|style|head|template|svg)\b[^<>]*>[^<]*/gi

/** The text of a page or of XML, without its tags. */
export const shownText = (html: string): string =>
  textBetweenTags(withoutComments(html).replaceAll(unseen, ' '))

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

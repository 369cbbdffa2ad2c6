/** What a page holds and does not show. */
const unseen = /<(script|style|head|template|svg)\b[^<>]*>[^<]*|<!--[^>]*-->/gi

/** The text of a page or of XML, without its tags. */
export const shownText = (html: string): string => textBetweenTags(html.replaceAll(unseen, ' '))

export const textBetweenTags = (xml: string, elements = />([^<>]+)/g): string =>
  [...xml.matchAll(elements)]
    .map(([, text = '']) => text)
    .join(' ')
    .replaceAll(/&[#\w]{1,20};/g, ' ')

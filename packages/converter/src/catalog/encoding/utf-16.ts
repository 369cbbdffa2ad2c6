import { decodeStrictly } from './decode-strictly.ts'

// UTF-16 without a byte order mark. Unlike other text it contains control bytes: a space or a line feed is one zero byte
// and one other. Read in the wrong byte order, text contains characters that do not exist, or almost none of the
// characters that every text uses.

export type Utf16 = 'utf-16le' | 'utf-16be'

const commonCharacters = /[\t\n\r -~\u3000-\u3002\uff01-\uff5e]/g
/** Control characters that text does not contain, private use, unassigned. */
const impossibleCharacters = /(?![\t\n\v\f\r])\p{Cc}|\p{Co}|\p{Cn}/u

/** The byte order of the text that starts with `head`; undefined when `head` is not UTF-16 text. */
export function detectUtf16(head: Buffer): Utf16 | undefined {
  if (head.length % 2 !== 0) return undefined
  const [little, big] = (['utf-16le', 'utf-16be'] as const).map((name) => countCommon(head, name))
  if (little === undefined || big === undefined || little === big) return undefined
  return little > big ? 'utf-16le' : 'utf-16be'
}

/** How many common characters the text has; 0 when it is not text in this byte order. */
function countCommon(head: Buffer, name: Utf16): number {
  const text = decodeStrictly(head, name, true)
  if (text === undefined || impossibleCharacters.test(text)) return 0
  return text.match(commonCharacters)?.length ?? 0
}

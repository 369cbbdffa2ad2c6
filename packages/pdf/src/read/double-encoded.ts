import { elementAt } from '../element-at.ts'
import { union } from '../geometry.ts'
import { isMark } from '../marks.ts'
import type { Glyph } from './page.ts'

// Programs that write UTF-8 with a font of one byte per character show each byte as a character: `â€¢` for a bullet.
// Only characters of three or more bytes are restored: no text has such characters beside each other, but `É»` is the
// end of a quotation.

/** The first byte that is not ASCII. */
const firstByte = 0x80
const decoder = new TextDecoder('windows-1252')
/** Bytes by their character in Windows, and as PDFium returns those without a character. */
const bytes: ReadonlyMap<string, number> = new Map(
  Array.from({ length: firstByte }, (_, i) => firstByte + i).flatMap((byte) =>
    [String.fromCharCode(byte), decoder.decode(Uint8Array.of(byte))].map((char) => [char, byte]),
  ),
)

/** The number of bytes of a character, by its first byte. */
const lengthBy = (first: number): number => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 0)

/** Restores such characters. The other control characters become spaces. */
export function restoreUtf8(glyphs: Glyph[]): Glyph[] {
  const out: Glyph[] = []
  for (let i = 0; i < glyphs.length; i++) {
    const glyph = elementAt(glyphs, i)
    if (glyph.text.charCodeAt(0) < firstByte) {
      out.push(glyph)
      continue
    }
    const length = lengthBy(bytes.get(glyph.text) ?? 0)
    const own = length === 0 ? [] : glyphs.slice(i, i + length).filter((g) => g.order === glyph.order)
    const text = own.length < length ? '' : Buffer.from(own.map((g) => bytes.get(g.text) ?? 0)).toString()
    if ([...text].length === 1 && !isMark(text.codePointAt(0) ?? 0)) {
      out.push({ ...glyph, text, box: union(own.map((g) => g.box)) })
      i += length - 1
    } else out.push(/^[\x80-\x9f]/.test(glyph.text) ? { ...glyph, text: ' ' } : glyph)
  }
  return out
}

import { elementAt } from '../element-at.ts'
import { isCjk } from '../lines/scripts.ts'
import { breakMark, cutMark } from '../marks.ts'
import { type Run, textOf } from './block.ts'
import { isHangul } from './korean.ts'
import type { MergedLine } from './line-text.ts'
import type { Frame } from './paragraphs.ts'
import { longestWord, type Vocabulary } from './vocabulary.ts'

// What separates the last word of a line from the first of the next: a space, nothing, or a hyphen that the line
// put there.

/** A space: of an empty text that stands for its first character. */
const space = 0x20
/** Formulas are broken behind a sign, which asks for the other side. */
const signAtEnd = /[=+\-−±×·⋅<>≤≥≠≈≡∼≃≅∈⊂⊆→⇒⟶⟹∪∩⊗⊕∧∨]$/

/** Joins two stretches of runs the way a line end joins them. */
export function joinLines(into: Run[], next: readonly Run[], vocabulary: Vocabulary): void {
  const last = into.at(-1)
  const first = next[0]
  if (last && first) {
    const isFixed = last.style.font.mono
    const end = {
      before: lastWord(into),
      after: next.map((r) => r.text).join(''),
      fixed: [isFixed, first.style.font.mono] as const,
    }
    const text = last.text.trimEnd()
    const isFormula = first.style.math && signAtEnd.test(last.style.math?.text ?? '')
    if (isCutAddress(last, first, end)) last.text = text + (vocabulary.marksBreaks ? cutMark : '')
    else if (isBroken(end, vocabulary))
      last.text = text.slice(0, -1) + (vocabulary.marksBreaks ? breakMark : '')
    else last.text = text + (isFormula || touches(end, vocabulary) ? '' : ' ')
  }
  into.push(...next.map((r) => ({ ...r })))
}

interface LineEnd {
  /** The last word of the line, and what it goes on with. */
  before: string
  after: string
  /** Whether the two are set in a monospaced font. */
  fixed: readonly [boolean, boolean]
}

/** Its parts may look different. */
function lastWord(runs: readonly Run[]): string {
  let text = ''
  for (let i = runs.length - 1; i >= 0 && text.length < longestWord && !/\s\S/.test(text); i--)
    text = textOf([elementAt(runs, i)]) + text
  return text.trimEnd().slice(-longestWord)
}

/** An address may be cut anywhere: both parts lead to it, and it has them side by side. */
function isCutAddress(last: Run, first: Run, { before, after }: LineEnd): boolean {
  const uri = last.style.link?.uri
  if (!uri || uri !== first.style.link?.uri) return false
  const head = /\S+$/.exec(before)?.[0] ?? ''
  // Stops behind it are the sentence's.
  const tail = /^\S{0,500}[\p{L}\p{N}/]/u.exec(after)?.[0] ?? ''
  return head !== '' && tail !== '' && uri.includes(head + tail)
}

/** The line ends with a hyphen that is none of the word's. */
function isBroken({ before, after, fixed }: LineEnd, vocabulary: Vocabulary): boolean {
  if (fixed[0] || !/\p{L}[-\u2010]$/u.test(before) || !/^\p{Ll}/u.test(after)) return false
  const head = /([\p{L}\p{N}-]+)[-\u2010]$/u.exec(before)?.[1]?.toLowerCase() ?? ''
  const tail = /^[\p{L}\p{N}]+/u.exec(after)?.[0].toLowerCase() ?? ''
  if (vocabulary.has(head + tail)) return true
  if (vocabulary.has(`${head}-${tail}`) || !vocabulary.hyphenates) return false
  // Addresses are cut at their own hyphens, and so are words that have several.
  if (isAddress(/\S+$/.exec(before)?.[0] ?? '')) return false
  const part = head.split('-').at(-1) ?? ''
  return !(head.includes('-') && vocabulary.isWhole(part) && vocabulary.isWhole(tail))
}

/** One slash may stand between two words. */
const isAddress = (word: string): boolean => /[@_.:\d]/.test(word) || word.split('/').length > 2

/** No space was there: the line was cut at a sign inside of a word, or between characters that need none. */
function touches(end: LineEnd, vocabulary: Vocabulary): boolean {
  const { before, after, fixed } = end
  const [a, b] = [lastCharacter(before), firstCharacter(after)]
  if (isCjk(a) || isCjk(b)) return touchesCjk(before, after, vocabulary)
  if (/[\p{L}\p{N}][-\u2010]$/u.test(before)) return /[\p{L}\p{N}]/u.test(b)
  // Options of commands.
  if (fixed[0] && fixed[1] && /(?:^|\s)-{1,2}$/.test(before)) return /[\p{L}\p{N}]/u.test(b)
  if (/\p{L}[–—]$/u.test(before) || /^—\p{L}/u.test(after)) return true
  if (/\p{L}:$/u.test(before) && after.startsWith('//')) return true
  if (/:\/\/\S*[?&=#%_]$/.test(before)) return true
  if (!/[\p{L}\p{N}]\/$/u.test(before) || fixed[0] !== fixed[1]) return false
  return /[\p{Ll}\p{N}]/u.test(b)
}

/** Stops, commas and brackets of Chinese and Japanese have their space in them. */
const wideSign = /[\u3001\u3002\u3008-\u3011\u3014-\u301b\uff01\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]/

function touchesCjk(before: string, after: string, vocabulary: Vocabulary): boolean {
  const [a, b] = [lastCharacter(before), firstCharacter(after)]
  if (isHangul(a) && isHangul(b)) return vocabulary.isBroken(before, after)
  if (isHangul(a) || isHangul(b)) return isCjk(a) && isCjk(b)
  return (isCjk(a) && isCjk(b)) || wideSign.test(a) || wideSign.test(b) || !vocabulary.partsScripts
}

/** Whole: rare characters of Chinese are two units long. */
const firstCharacter = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? space)
const lastCharacter = (text: string): string => [...text.slice(-2)].at(-1) ?? ''

/** A word too wide for its narrow cell goes on in the next line, without a hyphen. */
export function isCutWord(
  previous: MergedLine | undefined,
  line: MergedLine,
  frame: Frame,
  vocabulary: Vocabulary,
): boolean {
  if (!previous || /\s/.test(previous.text) || frame.x1 - previous.box.x1 > previous.size) return false
  const tail = /^[\p{L}\p{N}]+/u.exec(line.text)?.[0] ?? ''
  return tail !== '' && vocabulary.has((previous.text + tail).toLowerCase()) && !vocabulary.has(tail)
}

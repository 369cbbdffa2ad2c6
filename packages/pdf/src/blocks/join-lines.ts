import { elementAt } from '../element-at.ts'
import { isCjk } from '../lines/scripts.ts'
import { breakMark, cutMark } from '../marks.ts'
import { type Run, textOf } from './block.ts'
import { isHangul } from './korean.ts'
import type { MergedLine } from './line-text.ts'
import type { Frame } from './paragraphs.ts'
import { longestWord, type Vocabulary } from './vocabulary.ts'

// Decides what separates the last word of a line from the first word of the next: a space, nothing, or a hyphen that
// was added at the line break.

/** The first character of an empty text counts as a space. */
const space = 0x20
/** Formulas are broken after an operator or relation, which needs a right-hand side. */
const signAtEnd = /[=+\-−±×·⋅<>≤≥≠≈≡∼≃≅∈⊂⊆→⇒⟶⟹∪∩⊗⊕∧∨]$/

/** Joins the runs of two consecutive lines. */
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
  /** The last word of the line, and the text that continues it. */
  before: string
  after: string
  /** Whether each of the two is set in a monospaced font. */
  fixed: readonly [boolean, boolean]
}

/** A word may consist of several runs. */
function lastWord(runs: readonly Run[]): string {
  let text = ''
  for (let i = runs.length - 1; i >= 0 && text.length < longestWord && !/\s\S/.test(text); i--)
    text = textOf([elementAt(runs, i)]) + text
  return text.trimEnd().slice(-longestWord)
}

/** A URL may be broken anywhere: both parts link to it, and it contains them next to each other. */
function isCutAddress(last: Run, first: Run, { before, after }: LineEnd): boolean {
  const uri = last.style.link?.uri
  if (!uri || uri !== first.style.link?.uri) return false
  const head = /\S+$/.exec(before)?.[0] ?? ''
  // Punctuation after the URL belongs to the sentence.
  const tail = /^\S{0,500}[\p{L}\p{N}/]/u.exec(after)?.[0] ?? ''
  return head !== '' && tail !== '' && uri.includes(head + tail)
}

/** Whether the line ends with a hyphen that is not part of the word. */
function isBroken({ before, after, fixed }: LineEnd, vocabulary: Vocabulary): boolean {
  if (fixed[0] || !/\p{L}[-\u2010]$/u.test(before) || !/^\p{Ll}/u.test(after)) return false
  const head = /([\p{L}\p{N}-]+)[-\u2010]$/u.exec(before)?.[1]?.toLowerCase() ?? ''
  const tail = /^[\p{L}\p{N}]+/u.exec(after)?.[0].toLowerCase() ?? ''
  if (vocabulary.has(head + tail)) return true
  if (vocabulary.has(`${head}-${tail}`) || !vocabulary.hyphenates) return false
  // URLs, and words with several hyphens, are broken at their own hyphens.
  if (isAddress(/\S+$/.exec(before)?.[0] ?? '')) return false
  const part = head.split('-').at(-1) ?? ''
  return !(head.includes('-') && vocabulary.isWhole(part) && vocabulary.isWhole(tail))
}

/** Two words may be joined by one slash. */
const isAddress = (word: string): boolean => /[@_.:\d]/.test(word) || word.split('/').length > 2

/** Whether there was no space: a break at punctuation inside a word, or between characters without spaces. */
function touches(end: LineEnd, vocabulary: Vocabulary): boolean {
  const { before, after, fixed } = end
  const [a, b] = [lastCharacter(before), firstCharacter(after)]
  if (isCjk(a) || isCjk(b)) return touchesCjk(before, after, vocabulary)
  if (/[\p{L}\p{N}][-\u2010]$/u.test(before)) return /[\p{L}\p{N}]/u.test(b)
  // Command-line options.
  if (fixed[0] && fixed[1] && /(?:^|\s)-{1,2}$/.test(before)) return /[\p{L}\p{N}]/u.test(b)
  if (/\p{L}[–—]$/u.test(before) || /^—\p{L}/u.test(after)) return true
  if (/\p{L}:$/u.test(before) && after.startsWith('//')) return true
  if (/:\/\/\S*[?&=#%_]$/.test(before)) return true
  if (!/[\p{L}\p{N}]\/$/u.test(before) || fixed[0] !== fixed[1]) return false
  return /[\p{Ll}\p{N}]/u.test(b)
}

/** Full-width punctuation, which includes its own spacing. */
const wideSign = /[\u3001\u3002\u3008-\u3011\u3014-\u301b\uff01\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]/

function touchesCjk(before: string, after: string, vocabulary: Vocabulary): boolean {
  const [a, b] = [lastCharacter(before), firstCharacter(after)]
  if (isHangul(a) && isHangul(b)) return vocabulary.isBroken(before, after)
  if (isHangul(a) || isHangul(b)) return isCjk(a) && isCjk(b)
  return (isCjk(a) && isCjk(b)) || wideSign.test(a) || wideSign.test(b) || !vocabulary.partsScripts
}

/** By code point: rare Chinese characters have two UTF-16 code units. */
const firstCharacter = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? space)
const lastCharacter = (text: string): string => [...text.slice(-2)].at(-1) ?? ''

/** A word that is too wide for its narrow cell continues on the next line without a hyphen. */
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

// A sample of visible words of the source, and whether they are in the output.

const maxWords = 400
/** Fewer words may all be invisible: in a hidden sheet, a field, a note. */
export const minWords = 8

// Scripts whose letters a PDF gives back in the order in which they were written.
const word =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{4,20}|[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]{2,3}/gu

// In a text of another script, the few Latin words are names of styles, codes and addresses, which may all be lost
// although the text is there.
const minShare = 0.3
/** In runs: a match for every single letter of a text costs more than the comparison. */
const letters = /\p{L}+/gu
const judgedLength = 100_000

/** None where the text is in a script that is not compared. */
export function wordsIn(text: string): string[] {
  const words = new Set<string>()
  const plain = text.normalize('NFKC')
  if (!isComparable(plain.slice(0, judgedLength))) return []
  for (const [found] of plain.matchAll(word)) {
    words.add(found.toLowerCase())
    if (words.size >= maxWords) break
  }
  return [...words]
}

function isComparable(text: string): boolean {
  return lengthOf(text, word) >= lengthOf(text, letters) * minShare
}

const lengthOf = (text: string, pattern: RegExp): number => text.length - text.replaceAll(pattern, '').length

/** How many of the words are in the text. */
export const countHeld = (words: readonly string[], text: string): number =>
  new Set(findWords(words, text)).size

export const holdsNone = (words: readonly string[], text: string): boolean =>
  findWords(words, text).next().done === true

interface TrieNode {
  next: Map<number, TrieNode>
  word?: string
}

/**
 * Each occurrence of a word. Whitespace and hyphens within a word do not count. A trie finds all words in one pass: its
 * depth, not the number of words, limits the work per character.
 */
function* findWords(words: readonly string[], text: string): Generator<string> {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\u00AD\u2010-]+/g, '')
  const root = trieOf(words)
  for (let start = 0; start < plain.length; start += 1) {
    let node: TrieNode | undefined = root
    for (let at = start; node !== undefined; at += 1) {
      if (node.word !== undefined) yield node.word
      node = node.next.get(plain.charCodeAt(at))
    }
  }
}

function trieOf(words: readonly string[]): TrieNode {
  const root: TrieNode = { next: new Map() }
  for (const word of words) {
    let node = root
    for (let at = 0; at < word.length; at += 1) {
      const code = word.charCodeAt(at)
      const next = node.next.get(code) ?? { next: new Map() }
      node.next.set(code, next)
      node = next
    }
    node.word = word
  }
  return root
}

// Korean separates words by spaces but may break a line inside a word. The end of a line does not show whether a word
// was broken; the words inside lines are complete, so they are the reference.

const word = /[^\p{L}\p{N}]+/u
const hangul = /[\uac00-\ud7af]/

export const isHangul = (character: string): boolean => hangul.test(character)

/** Whether one word was broken between the end of a line and the start of the next. */
export type BrokenWord = (before: string, after: string) => boolean

export function learnKorean(lines: Iterable<string>): BrokenWord {
  const whole = new Set<string>()
  const ends: [string, string][] = []
  let last = ''
  for (const line of lines) {
    if (!hangul.test(line)) continue
    const words = line.split(word).filter(Boolean)
    for (const inner of words.slice(1, -1)) whole.add(inner)
    ends.push([last, words[0] ?? ''])
    last = words.at(-1) ?? ''
  }
  const isOne = (a: string, b: string): boolean => whole.has(a + b) && !(whole.has(a) && whole.has(b))
  const broken = ends.filter(([a, b]) => isOne(a, b)).length
  const parted = ends.filter(([a, b]) => whole.has(a) && whole.has(b) && !whole.has(a + b)).length
  return (before, after) => {
    const [a = '', b = ''] = [before.split(word).at(-1), after.split(word)[0]]
    if (isOne(a, b)) return true
    // If neither part is a known word, follows the majority of the document.
    return !whole.has(a) && !whole.has(b) && broken > parted
  }
}

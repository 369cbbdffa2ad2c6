/** A range of the source and what replaces it. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** The source with the edits, which do not overlap. */
export function applyEdits(latex: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    result += latex.slice(at, start) + text
    at = end
  }
  return result + latex.slice(at)
}

/** A `[…]`: where it begins and ends, and its content. */
export interface Bracket extends Omit<Edit, 'text'> {
  content: string
}

const maxBracket = 300

/** The optional argument that follows, after an overlay of Beamer. */
export function bracketAt(latex: string, at: number): Bracket | undefined {
  const opening = /^\s{0,3}(?:<[^<>\n]{0,100}>)?\s{0,3}\[/.exec(latex.slice(at, at + 110))
  if (!opening) return undefined
  const start = at + opening[0].length - 1
  let depth = 0
  for (let index = start + 1; index < Math.min(latex.length, start + maxBracket); index++) {
    const character = latex[index]
    if (character === '\\') index++
    else if (character === '{') depth++
    else if (character === '}') depth--
    else if (character === ']' && depth === 0)
      return { start, end: index + 1, content: latex.slice(start + 1, index) }
  }
  return undefined
}

import { applyEdits, bracketAt, type Edit } from './tex-edits.ts'
import { texTokens } from './tex-tokens.ts'

// Pandoc runs the entries of a thebibliography together and drops their keys, so that nothing says what a citation refers
// to. Here the entries become a numbered list below the heading that LaTeX prints, and citations name the numbers.
// filter/citations.lua shows them, and the keys of entries that are elsewhere.

const token = texTokens(
  String.raw`\\(?<edge>begin|end)\{thebibliography\}(?:\s{0,3}\{[^{}\n]{0,100}\})?|(?<entry>\\bibitem)(?![A-Za-z@])|\\(?:[A-Za-z]{0,20}[cC]ite[A-Za-z]{0,20})\*?(?:\s{0,3}\[[^\]\n]{0,300}\]){0,2}\s{0,3}\{(?<keys>[^{}\\%]{1,5000})\}`,
)

export function numberedCitations(latex: string): string {
  if (!latex.includes('\\bibitem')) return latex
  const edits: Edit[] = []
  const numbers = new Map<string, number>()
  const citations: { end: number; keys: string }[] = []
  for (const match of latex.matchAll(token)) {
    const { edge, entry, keys } = match.groups ?? {}
    const start = match.index
    const end = start + match[0].length
    if (edge !== undefined) {
      const text = edge === 'begin' ? '\\section*{References}\\begin{enumerate}' : '\\end{enumerate}'
      edits.push({ start, end, text })
    } else if (entry !== undefined) {
      const afterLabel = bracketAt(latex, end)?.end ?? end
      const key = /^\s{0,20}\{([^{}]{0,300})\}/.exec(latex.slice(afterLabel, afterLabel + 330))
      if (!key) continue
      numbers.set(key[1]?.trim() ?? '', numbers.size + 1)
      edits.push({ start, end: afterLabel + key[0].length, text: '\\item ' })
    } else if (keys !== undefined) citations.push({ end: end - 1, keys })
  }
  for (const { end, keys } of citations) {
    const text = keys.split(',').map((key) => numbers.get(key.trim()) ?? key.trim())
    edits.push({ start: end - keys.length, end, text: text.join(',') })
  }
  return applyEdits(latex, edits)
}

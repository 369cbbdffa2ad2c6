// Reports: how much of the truth is in the Markdown, each part from 0 to 1.

interface DocumentTruth {
  headings: string[]
  items: string[]
  /** Row by row. */
  table: string[][]
  code: string[]
  paragraphs: string[]
}

interface DocumentScore {
  headings: number
  items: number
  cells: number
  code: number
  paragraphs: number
}

const bare = (text: string): string =>
  text
    .replace(/[\\*_`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
const share = (found: number, of: number): number => found / Math.max(1, of)

export function scoreDocument(truth: DocumentTruth, markdown: string): DocumentScore {
  const lines = markdown.split('\n').map((l) => l.trimEnd())
  const starting = (mark: RegExp): string[] =>
    lines.filter((l) => mark.test(l)).map((l) => bare(l.replace(mark, '')))
  const present = (wanted: readonly string[], found: readonly string[]): number => {
    const right = wanted.filter((w) => found.includes(bare(w))).length
    // Superfluous text counts as much as missing text.
    return share(2 * right, wanted.length + found.length)
  }
  const rows = lines
    .filter((l) => l.startsWith('|') && !/^\|[\s|:-]+\|$/.test(l))
    .map((l) => l.slice(1, -1).split('|').map(bare))
  const cells = truth.table.flatMap((row, i) => row.map((cell, k) => rows[i]?.[k] === bare(cell)))
  const texts = lines.map(bare)
  return {
    headings: present(truth.headings, starting(/^#+ /)),
    items: present(truth.items, starting(/^- /)),
    cells: share(cells.filter((right) => right).length, Math.max(cells.length, rows.flat().length)),
    code: markdown.includes(`\`\`\`\n${truth.code.join('\n')}\n\`\`\``) ? 1 : 0,
    paragraphs: share(
      truth.paragraphs.filter((p) => texts.includes(bare(p))).length,
      truth.paragraphs.length,
    ),
  }
}

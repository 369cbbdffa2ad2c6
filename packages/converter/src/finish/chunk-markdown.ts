// Divides Markdown for retrieval. A chunk is filled with whole sections as long as they fit. A section that is longer
// than a chunk is divided between its paragraphs, a longer paragraph between lines, then sentences, then words. A table
// keeps its head in every chunk, and code its fence. A comment with the headings above begins each chunk.

interface Section {
  /** The headings above, outermost first, and its own. */
  path: readonly string[]
  blocks: string[]
}

interface Chunk {
  path: readonly string[]
  text: string
}

export function chunkMarkdown(markdown: string, size: number): string {
  const chunks: Chunk[] = []
  let current: Chunk | undefined
  const add = (path: readonly string[], text: string): void => {
    const joined = current && `${current.text}\n\n${text}`
    if (current && joined !== undefined && lengthOf(joined) <= size) current.text = joined
    else {
      current = { path, text }
      chunks.push(current)
    }
  }
  for (const { path, blocks } of sectionsOf(markdown)) {
    const whole = blocks.join('\n\n')
    if (lengthOf(whole) <= size) {
      add(path, whole)
      continue
    }
    // A heading stays with the content that follows it.
    current = undefined
    for (const block of blocks) for (const part of divide(block, size)) add(path, part)
    current = undefined
  }
  const comment = ({ path }: Chunk, index: number) =>
    `<!-- chunk ${index + 1}${path.length > 0 ? `: ${path.join(' > ')}` : ''} -->`
  return `${chunks.map((chunk, index) => `${comment(chunk, index)}\n\n${chunk.text}`).join('\n\n')}\n`
}

/** The data of pictures is not text. */
const lengthOf = (text: string): number => text.replaceAll(/data:[^\s)>"']+/g, '').length

function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = []
  let path: (string | undefined)[] = []
  let current: Section = { path: [], blocks: [] }
  for (const block of blocksOf(markdown)) {
    const heading = /^(#{1,6})\s+(.*)$/.exec(block)
    if (heading) {
      const [, marks = '', text = ''] = heading
      path = [...path.slice(0, marks.length - 1)]
      path[marks.length - 1] = plain(text)
      current = { path: path.filter((each) => each !== undefined), blocks: [] }
      sections.push(current)
    } else if (sections.length === 0) sections.push(current)
    current.blocks.push(block)
  }
  return sections
}

/** A comment ends at two dashes. */
const plain = (heading: string): string =>
  heading
    .replaceAll(/[*_`]|\s#+$/g, '')
    .replaceAll(/-{2,}/g, '-')
    .trim()

/** Blocks separated by blank lines, except blank lines inside of code. */
function blocksOf(markdown: string): string[] {
  const blocks: string[] = []
  let lines: string[] = []
  let fence = ''
  for (const line of markdown.split('\n')) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence === '' && mark !== '') fence = mark
    else if (fence !== '' && mark.startsWith(fence)) fence = ''
    if (line.trim() !== '' || fence !== '') lines.push(line)
    else if (lines.length > 0) {
      blocks.push(lines.join('\n'))
      lines = []
    }
  }
  if (lines.length > 0) blocks.push(lines.join('\n'))
  return blocks
}

function divide(block: string, size: number): string[] {
  if (lengthOf(block) <= size) return [block]
  const lines = block.split('\n')
  const [first = '', second = ''] = lines
  if (/^\s{0,3}(?:`{3,}|~{3,})/.test(first))
    return wrapped(lines.slice(1, -1), size, { before: first, after: lines.at(-1) ?? '' })
  if (first.startsWith('|') && /^\|[\s:|-]+$/.test(second))
    return wrapped(lines.slice(2), size, { before: `${first}\n${second}`, after: '' })
  return packed(
    lines.flatMap((line) => (lengthOf(line) <= size ? [`${line}\n`] : sentencesOf(line, size))),
    size,
  ).map((part) => part.trimEnd())
}

/** Lines between others that every part repeats. */
function wrapped(
  lines: readonly string[],
  size: number,
  { before, after }: { before: string; after: string },
): string[] {
  const room = Math.max(1, size - lengthOf(before) - lengthOf(after) - 2)
  return packed(
    lines.map((line) => `${line}\n`),
    room,
  ).map((part) => [before, part.trimEnd(), ...(after === '' ? [] : [after])].join('\n'))
}

function sentencesOf(line: string, size: number): string[] {
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(line)]
  return sentences.flatMap(({ segment }) => (lengthOf(segment) <= size ? [segment] : wordsOf(segment)))
}

const wordsOf = (sentence: string): string[] => sentence.match(/\S+\s*|\s+/g) ?? []

/** Joins consecutive pieces up to the size. A piece that is too long becomes a chunk by itself. */
function packed(pieces: readonly string[], size: number): string[] {
  const parts: string[] = []
  let part = ''
  let length = 0
  for (const piece of pieces) {
    const own = lengthOf(piece)
    if (part !== '' && length + own > size) {
      parts.push(part)
      part = ''
      length = 0
    }
    part += piece
    length += own
  }
  return part === '' ? parts : [...parts, part]
}

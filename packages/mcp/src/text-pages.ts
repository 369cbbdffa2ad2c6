// A long text in pages that fit an agent's context window, and its outline. The text is up to 8 MB that a caller
// controls: every function here takes time linear in its length, and the service calls them in its worker pool.
//
// A host accepts 25,000 tokens in an answer, and an answer holds its text twice: as content and as structured content.
// The number of tokens per character depends on the script: four of English are a token, and one of Chinese may be two. So
// characters are weighted, ASCII as one and any other as three. An answer of 24,000 in all stays below 25,000 tokens also
// when it is counted twice and is a table of numbers or Chinese throughout.

/** Characters of text in one answer. */
export const heaviestPage = 16_000

export interface WantedPage {
  page: number
  maxCharacters: number
}

export interface TextPage {
  /** Absent when there is no page with this number. */
  text?: string
  /** Absent when the whole text fits on one page. */
  page?: number
  pages?: number
  /** With the first of several pages. */
  outline?: string[]
}

/** Runs in the worker pool of the service. */
export function readPage(utf8: Uint8Array, { page, maxCharacters }: WantedPage): TextPage {
  const text = withoutPictures(new TextDecoder().decode(utf8))
  const ends = pageEnds(text, maxCharacters)
  const start = page === 1 ? 0 : ends[page - 2]
  const end = ends[page - 1]
  const wanted = start === undefined || end === undefined ? {} : { text: text.slice(start, end) }
  if (ends.length === 1 && page === 1) return wanted
  const outline = page === 1 ? { outline: outlineOf(text, ends) } : {}
  return { ...wanted, page, pages: ends.length, ...outline }
}

export function weightOf(text: string): number {
  let weight = 0
  for (let at = 0; at < text.length; at += 1) weight += text.charCodeAt(at) < 128 ? 1 : 3
  return weight
}

/** Images inside a text are of no use to an agent and would fill every page. */
export const withoutPictures = (text: string): string =>
  text.replaceAll(
    /data:(\w+\/[\w.+-]+);base64,[A-Za-z0-9+/=\s]{100,}/g,
    (_, type: string) => `data:${type},…`,
  )

/** Where each page ends: before a heading, else between paragraphs, lines or words. The last one ends with the text. */
export function pageEnds(text: string, maxCharacters = heaviestPage): number[] {
  const ends: number[] = []
  let start = 0
  do {
    const limit = limitOfPage(text, start, maxCharacters)
    start = limit === text.length ? limit : cutBefore(text, start, limit)
    ends.push(start)
  } while (start < text.length)
  return ends
}

function limitOfPage(text: string, start: number, maxCharacters: number): number {
  let weight = 0
  const last = Math.min(text.length, start + maxCharacters)
  for (let at = start; at < last; at += 1) {
    weight += text.charCodeAt(at) < 128 ? 1 : 3
    if (weight > heaviestPage) return at
  }
  return last
}

const headingStart = /#{1,6} |<h[1-6][\s>]|\\(?:chapter|section)\b/y
const blankLine = /[ \t]*\n/y
// The minimum fill of a page before it is cut at such a place.
const filledBeforeHeading = 0.5
const filledBeforeLine = 0.3

function cutBefore(text: string, start: number, limit: number): number {
  const filled = (share: number) => start + (limit - start) * share
  let paragraph = -1
  let line = -1
  for (let at = limit; at >= filled(filledBeforeLine) && at > start; at -= 1) {
    if (text.charCodeAt(at - 1) !== newline) continue
    if (line === -1) line = at
    if (at < filled(filledBeforeHeading)) break
    if (matchesAt(headingStart, text, at)) return at
    if (paragraph === -1 && matchesAt(blankLine, text, at) && blankLine.lastIndex <= limit)
      paragraph = blankLine.lastIndex
  }
  if (paragraph !== -1) return paragraph
  if (line !== -1) return line
  for (let at = limit; at >= filled(filledBeforeLine) && at > start; at -= 1) {
    if (isWordBreak(text.charAt(at - 1))) return at
  }
  // Never between the two halves of a surrogate pair.
  return /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) && limit - start > 1 ? limit - 1 : limit
}

const newline = 10

const isWordBreak = (character: string): boolean => /[\s。，、]/.test(character)

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

interface Heading {
  level: number
  title: string
  page: number
}

const heaviestOutline = 4000
/** No outline has room for more: a line weighs at least ten. */
const maxHeadings = heaviestOutline / 10

/** The headings with their pages; lower levels are dropped from a long list. */
export function outlineOf(text: string, ends: readonly number[]): string[] {
  // For each lowest level that may be listed: as many headings as may fit, and how many there are in all.
  const lists = [1, 2, 3, 4, 5, 6].map((level) => ({ level, kept: [] as Heading[], count: 0 }))
  for (const { level, title, page } of headingsIn(text, ends)) {
    const its = lists.slice(level - 1)
    const withRoom = its.filter(({ kept }) => kept.length <= maxHeadings)
    const plain = withRoom.length === 0 ? title : plainTitle(title)
    if (plain === '') continue
    for (const list of its) list.count += 1
    for (const list of withRoom) list.kept.push({ level, title: plain, page })
  }
  const listed = lists.filter(({ count }) => count > 0)
  const [top] = listed
  if (top === undefined) return []
  const linesOf = (kept: readonly Heading[]) =>
    kept.map(({ level, title, page }) => `${'  '.repeat(level - top.level)}${title} (page ${page})`)
  for (const { kept, count } of listed.slice(1).reverse()) {
    const lines = linesOf(kept)
    if (count === kept.length && weightOf(lines.join('\n')) <= heaviestOutline) return lines
  }
  return fitting(linesOf(top.kept), heaviestOutline, top.count)
}

const latexLevels = ['chapter', 'section', 'subsection', 'subsubsection']
const underlines = ['=', '-', '~', '^', '"']

const markdownHeading = /^(#{1,6}) (.+)$/
const latexHeading = /^\\(chapter|(?:sub){0,2}section)\*?\{([^{}]+)\}/
/** Matches a heading in Markdown or reStructuredText. */
const underline = /^([=\-~^"])\1{2,}[ \t]*$/
const fence = /^ {0,3}(`{3,})/
const htmlHeading = /<h([1-6])(?:\s[^<>]*)?>/g
/** Longer lines and elements are paragraphs. */
const longestHeading = 500

function* headingsIn(text: string, ends: readonly number[]): Generator<Heading> {
  let page = 1
  let before = ''
  let openFence = ''
  for (const { line, start } of linesOf(text, bodyStart(text))) {
    while (start >= (ends[page - 1] ?? text.length) && page < ends.length) page += 1
    const fenced = line.includes('```') ? (fence.exec(line)?.[1] ?? '') : ''
    if (openFence !== '') {
      if (fenced.length >= openFence.length) openFence = ''
      before = ''
      continue
    }
    openFence = fenced
    const found = headingOfLine(line, before)
    if (found) yield { ...found, page }
    if (line.includes('<h')) yield* htmlHeadings(text, line, start, page)
    before = line
  }
}

function headingOfLine(line: string, before: string): Omit<Heading, 'page'> | undefined {
  if (line.length > longestHeading) return undefined
  const marker = line.charAt(0)
  if (marker === '#') {
    const [, marks, title] = markdownHeading.exec(line) ?? []
    return marks && title ? { level: marks.length, title: title.replace(/\s+#+$/, '') } : undefined
  }
  if (marker === '\\') {
    const [, command, title] = latexHeading.exec(line) ?? []
    return command && title ? { level: Math.max(1, latexLevels.indexOf(command)), title } : undefined
  }
  const isTitle = before.length >= 2 && before.length <= 200
  const level = underlines.indexOf(marker) + 1
  return isTitle && level > 0 && underline.test(line) ? { level, title: before } : undefined
}

/** An element may end on a later line. */
function* htmlHeadings(text: string, line: string, start: number, page: number): Generator<Heading> {
  for (const match of line.matchAll(htmlHeading)) {
    const from = start + match.index + match[0].length
    const inside = text.slice(from, from + longestHeading + '</h1>'.length)
    const end = inside.search(/<\/h[1-6]>/)
    if (end > 0) yield { level: Number(match[1]), title: inside.slice(0, end), page }
  }
}

const plainTitle = (title: string): string => {
  const plain = title
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return [...plain].slice(0, 120).join('')
}

/** After the YAML front matter, whose last line would look like the underline of a heading. */
function bodyStart(text: string): number {
  if (!/^---[ \t]*\r?\n(?![ \t]*\r?\n)/.test(text)) return 0
  const end = /\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text)
  return end ? end.index + end[0].length : 0
}

function* linesOf(text: string, from: number): Generator<{ line: string; start: number }> {
  for (let start = from; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    yield { line: text.slice(start, end).replace(/\r$/, ''), start }
    start = end + 1
  }
}

/** As many as fit, and how many more there are of `count`. */
export function fitting(lines: readonly string[], heaviest: number, count = lines.length): string[] {
  const kept: string[] = []
  let weight = 0
  for (const line of lines) {
    weight += weightOf(line) + 1
    if (weight > heaviest) break
    kept.push(line)
  }
  return kept.length === count ? kept : [...kept, `… and ${count - kept.length} more`]
}

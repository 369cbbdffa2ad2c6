// A long text in pages that fit an agent's window, and its outline.
//
// A host takes 25,000 tokens of an answer, and an answer holds its text twice: as words and as structure. What a
// character costs depends on the script: four of English are a token, and one of Chinese may be two. So
// characters are weighed, ASCII as one and any other as three. An answer of 24,000 in all stays below 25,000 tokens also
// when it is taken twice and is a table of figures or Chinese throughout.

/** Of the text in one answer. */
export const heaviestPage = 16_000
const heaviestOutline = 4000

export function weightOf(text: string): number {
  let weight = 0
  for (let at = 0; at < text.length; at += 1) weight += text.charCodeAt(at) < 128 ? 1 : 3
  return weight
}

/** Pictures inside a text say nothing to a reader and would fill every page. */
export const withoutPictures = (text: string): string =>
  text.replaceAll(
    /data:(\w+\/[\w.+-]+);base64,[A-Za-z0-9+/=\s]{100,}/g,
    (_, type: string) => `data:${type},…`,
  )

/** Cut before headings, else between paragraphs, lines or words. Together they are the text. */
export function pagesOf(text: string, mostCharacters = heaviestPage): string[] {
  const pages: string[] = []
  let rest = text
  while (rest.length > 0) {
    const end = endWithin(rest, mostCharacters)
    const cut = end === rest.length ? end : goodCut(rest, end)
    pages.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return pages.length === 0 ? [''] : pages
}

/** How many characters fit on a page. */
function endWithin(text: string, mostCharacters: number): number {
  let weight = 0
  const last = Math.min(text.length, mostCharacters)
  for (let at = 0; at < last; at += 1) {
    weight += text.charCodeAt(at) < 128 ? 1 : 3
    if (weight > heaviestPage) return at
  }
  return last
}

/** Places to cut, the best first, each with the share of a page that has to be filled by then. */
const cuts: readonly [place: RegExp, filled: number][] = [
  [/\n(?=#{1,6} |<h[1-6][\s>]|\\(?:chapter|section)\b)/g, 0.5],
  [/\n[ \t]*\n/g, 0.5],
  [/\n/g, 0.3],
  [/[\s。，、]/g, 0.3],
]

function goodCut(text: string, end: number): number {
  const page = text.slice(0, end)
  for (const [place, filled] of cuts) {
    const found = [...page.matchAll(place)].at(-1)
    const cut = found ? found.index + found[0].length : 0
    if (cut >= end * filled) return cut
  }
  // Never between the halves of a character.
  return /[\uD800-\uDBFF]$/.test(page) && end > 1 ? end - 1 : end
}

interface Heading {
  level: number
  title: string
  page: number
}

const latexLevels = ['chapter', 'section', 'subsection', 'subsubsection']
const underlines = ['=', '-', '~', '^', '"']

function headingsOf(page: string, number: number): Heading[] {
  const pattern =
    /^(#{1,6}) (.+)$|<h([1-6])(?:\s[^<>]*)?>([\s\S]{1,500}?)<\/h[1-6]>|^\\(chapter|(?:sub){0,2}section)\*?\{([^{}\n]+)\}|^([^\n]{2,200})\n([=\-~^"])\8{2,}[ \t]*$/gm
  return [...page.matchAll(pattern)].flatMap(
    ([, marks, md, html, htmlTitle, latex, latexTitle, rst, line]) => {
      const title = (md ?? htmlTitle ?? latexTitle ?? rst ?? '')
        .replaceAll(/<[^<>]*>|\s+#+$/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim()
      const level = marks
        ? marks.length
        : html
          ? Number(html)
          : latex
            ? Math.max(1, latexLevels.indexOf(latex))
            : underlines.indexOf(line ?? '=') + 1
      return title === '' ? [] : [{ level, title: [...title].slice(0, 120).join(''), page: number }]
    },
  )
}

/** The headings with their pages; of a long list the lower levels are left out. */
export function outlineOf(pages: readonly string[]): string[] {
  const headings = pages.flatMap((page, index) => headingsOf(page, index + 1))
  const top = headings.reduce((least, { level }) => Math.min(least, level), 6)
  const upTo = (level: number) =>
    headings
      .filter((each) => each.level <= level)
      .map(({ level: own, title, page }) => `${'  '.repeat(own - top)}${title} (page ${page})`)
  for (let level = 6; level > top; level -= 1) {
    const lines = upTo(level)
    if (weightOf(lines.join('\n')) <= heaviestOutline) return lines
  }
  return fitting(upTo(top), heaviestOutline)
}

/** As many as fit, and how many more there are. */
export function fitting(lines: readonly string[], heaviest: number): string[] {
  const kept: string[] = []
  let weight = 0
  for (const line of lines) {
    weight += weightOf(line) + 1
    if (weight > heaviest) return [...kept, `… and ${lines.length - kept.length} more`]
    kept.push(line)
  }
  return kept
}

import type { XmlEditor, XmlElement, XmlVisitor } from '../../../package/edit-xml.ts'
import { type FontReference, fontOf } from './run-fonts.ts'
import { type Holder, type Range, readProperties } from './run-properties.ts'
import type { WordDocument } from './word-document.ts'

// What Word does with characters of a run, and LibreOffice does not:
//
//   spaces    between East Asian characters have the width of the run's Latin font; LibreOffice takes them from the
//             East Asian one, where they are up to twice as wide. Only a document that balances the widths of its
//             scripts has the latter
//   breaks    a line ends at a space or a hyphen. LibreOffice would also end it after a slash, in paths and addresses;
//             an invisible character that joins words prevents that, and does not become part of the PDF's text.
//             Nor is a Korean word broken after a number or Latin letters in it

const eastAsian = String.raw`[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]`
const spacesAfterEastAsian = new RegExp(`(?<=${eastAsian})( +)`, 'u')
const anyEastAsian = new RegExp(eastAsian, 'u')
const endsEastAsian = new RegExp(`${eastAsian} *$`, 'u')
const wordJoiner = '\u2060'
const breakSign = /(?<=[\p{L}\p{N}_.:)/])[/?!}|](?=[\p{L}\p{N}_])/gu
const endsWithBreakSign = /[\p{L}\p{N}_.:)/][/?!}|]$/u
const startsWithLetter = /^[\p{L}\p{N}_]/u
const insideKoreanWord = /(?<=[A-Za-z\d])(?=\p{Script=Hangul})/gu
const endsWithLatin = /[A-Za-z\d]$/
const startsWithHangul = /^\p{Script=Hangul}/u

/** Whether a part has such characters at all. Tags are skipped: they contain many slashes. */
export const hasSpecialText = (xml: string): boolean => anyEastAsian.test(xml) || textWithBreakSign.test(xml)
const textWithBreakSign = /<w:t(?: [^<>]*)?>[^<>]*[\p{L}\p{N}_.:)/][/?!}|]/u

// Each piece repeats the properties of its run, whose size the format does not limit.
const maxAddedLength = 4_000_000
const textStart = '<w:t xml:space="preserve">'

interface Run extends Holder {
  style?: string | undefined
  /** Number of its child elements besides the properties. */
  contents: number
  /** Functions that split its texts, called when the whole run has been parsed. */
  splits: ((end: Range) => void)[]
}

interface Paragraph {
  style?: string | undefined
  /** The end of the text before the current run. */
  before: string
}

/** One visitor for all of them: they change the same elements. */
export function textRunVisitor({ sheet, balancesWidths }: WordDocument): XmlVisitor {
  const path: XmlElement[] = []
  const runs: Run[] = []
  const paragraphs: Paragraph[] = []
  let added = 0

  const spaceFonts = (run: Run, style: string | undefined): string | undefined => {
    if (balancesWidths()) return undefined
    const styles = { fonts: run.fonts?.attributes, runStyle: run.style, paragraphStyle: style }
    const latin = fontOf(sheet(), styles, 'ascii') ?? { family: 'Times New Roman' }
    const own = fontOf(sheet(), styles, 'eastAsia')
    const isSame = latin.theme === own?.theme && latin.family === own?.family
    return isSame ? undefined : fontsWithEastAsian(run.fonts?.attributes ?? {}, latin)
  }

  const change = (run: Run, paragraph: Paragraph, text: XmlElement, end: Range, editor: XmlEditor) => {
    const letters = editor.source(text.end, end.start)
    const { before } = paragraph
    paragraph.before = (before + letters).slice(-maxBefore)
    const joined = joinWords(letters, before)
    const pieces = cutAtSpaces(joined, before)
    const fonts = pieces.length === 1 ? undefined : spaceFonts(run, paragraph.style)
    if (fonts === undefined) {
      if (joined !== letters) editor.replace(text.end, end.start, joined)
      return
    }
    const start = editor.source(run.element.start, run.element.end)
    const properties = run.properties ? editor.source(run.properties.start, run.properties.end) : ''
    added += pieces.length * (start.length + properties.length + fonts.length)
    if (added > maxAddedLength) return
    const ofSpaces = withFonts(run, properties, fonts)
    const runs = pieces.map((piece, index) => ({
      piece,
      properties: index % 2 === 0 ? properties : ofSpaces,
    }))
    run.splits.push((runEnd) => {
      if (run.contents === 1) {
        // The run contains nothing else: empty pieces need no run.
        const whole = runs
          .filter(({ piece }) => piece !== '')
          .map((each) => `${start}${each.properties}${textStart}${each.piece}</w:t></w:r>`)
        editor.replace(run.element.start, runEnd.end, whole.join(''))
        return
      }
      const split = runs.map((each) => `${start}${each.properties}${textStart}${each.piece}`)
      const first = `${textStart}${pieces[0] ?? ''}`
      editor.replace(text.start, end.end, `${[first, ...split.slice(1)].join('</w:t></w:r>')}</w:t>`)
    })
  }

  return {
    open(element) {
      const run = runs.at(-1)
      const paragraph = paragraphs.at(-1)
      if (element.name === 'w:p') paragraphs.push({ before: '' })
      else if (element.name === 'w:r') runs.push({ element, contents: 0, splits: [] })
      else if (run) {
        readProperties(run, element, path.at(-1))
        if (element.name === 'w:rStyle' && path.at(-2) === run.element)
          run.style = element.attributes['w:val']
        if (otherContent.has(element.name) && paragraph) paragraph.before = ''
      }
      if (element.name === 'w:pStyle' && paragraph) paragraph.style = element.attributes['w:val']
      path.push(element)
    },
    close(element, end, editor) {
      path.pop()
      const run = runs.at(-1)
      const paragraph = paragraphs.at(-1)
      if (element.name === 'w:p') paragraphs.pop()
      else if (element.name === 'w:r') for (const split of runs.pop()?.splits ?? []) split(end)
      else if (run && path.at(-1) === run.element) {
        if (element.name === 'w:rPr') run.properties = { start: element.start, end: end.end }
        else run.contents += 1
        if (element.name === 'w:t') change(run, paragraph ?? { before: '' }, element, end, editor)
      }
    },
  }
}

const maxBefore = 40
const otherContent: ReadonlySet<string> = new Set([
  'w:tab',
  'w:br',
  'w:cr',
  'w:drawing',
  'w:pict',
  'w:object',
])

function joinWords(letters: string, before: string): string {
  const joined = letters.replaceAll(breakSign, `$&${wordJoiner}`).replaceAll(insideKoreanWord, wordJoiner)
  const isOneWord =
    (endsWithBreakSign.test(before) && startsWithLetter.test(letters)) ||
    (endsWithLatin.test(before) && startsWithHangul.test(letters))
  return isOneWord ? wordJoiner + joined : joined
}

/** Every second piece consists of spaces after an East Asian character. The first piece may be empty. */
function cutAtSpaces(letters: string, before: string): string[] {
  const [first = '', ...others] = letters.split(spacesAfterEastAsian)
  const [leading = ''] = endsEastAsian.test(before) ? (/^ +/.exec(first) ?? []) : []
  return leading === '' ? [first, ...others] : ['', leading, first.slice(leading.length), ...others]
}

/** A copy of the run's `w:rFonts` with another East Asian font. */
function fontsWithEastAsian(own: XmlElement['attributes'], { theme, family }: FontReference): string {
  const { 'w:eastAsia': _, 'w:eastAsiaTheme': __, ...rest } = own
  const named: Record<string, string> =
    theme === undefined ? { 'w:eastAsia': family ?? '' } : { 'w:eastAsiaTheme': theme }
  const written = Object.entries({ ...rest, ...named }).map(
    ([name, value]) =>
      ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"`,
  )
  return `<w:rFonts${written.join('')}/>`
}

/** The properties of a run with other fonts. */
function withFonts({ element, fonts, fontsAt, properties }: Holder, source: string, named: string): string {
  if (!properties || fontsAt === undefined) return `<w:rPr>${named}</w:rPr>`
  if (fonts)
    return (
      source.slice(0, fonts.start - properties.start) + named + source.slice(fonts.end - properties.start)
    )
  // The element is self-closing, so the font cannot be inserted.
  if (source.endsWith('/>') && fontsAt === properties.end && element.end <= properties.start)
    return `<w:rPr>${named}</w:rPr>`
  const at = fontsAt - properties.start
  return source.slice(0, at) + named + source.slice(at)
}

import { decodeReferences } from '../../package/xml-references.ts'

// The fonts that a document names for visible text. Unused styles do not count, as far as that can be determined
// without laying out the document; embedded fonts are omitted.

type Part = (name: string) => string

const maxNames = 50

const valuesOf = (xml: string, pattern: RegExp): string[] => {
  const values = new Set<string>()
  for (const [, value = ''] of xml.matchAll(pattern)) {
    const name = decodeReferences(value).trim()
    if (name !== '') values.add(name)
    if (values.size >= maxNames) break
  }
  return [...values]
}

/**
 * Elements that end before the next one of the same name starts: a longer search would scan the remaining text each
 * time, in quadratic time.
 */
const elementsIn = (xml: string, name: string): string[] =>
  xml
    .split(`<${name}`)
    .slice(1)
    .flatMap((rest) => (rest.includes(`</${name}>`) ? [rest.split(`</${name}>`, 1)[0] ?? ''] : []))

const runFont = /<w:rFonts\b[^<>]*?\bw:ascii="([^"]*)"/g

export function wordFonts(part: Part): string[] {
  const body = part('word/document.xml')
  const styles = part('word/styles.xml')
  const [defaults = ''] = elementsIn(styles, 'w:docDefaults')
  const used = new Set(valuesOf(body, /<w:[prt](?:bl)?Style\b[^<>]*\bw:val="([^"]*)"/g))
  const shownStyles = styles
    .split(/(?=<w:style\s)/)
    .filter((style) => {
      const element = /^<w:style\s[^<>]*>/.exec(style)?.[0] ?? ''
      return /\bw:default="(?:1|true)"/.test(element) || used.has(attribute(element, 'w:styleId'))
    })
    .join('')
  const xml = defaults + shownStyles + body
  const theme = part('word/theme/theme1.xml')
  const themed = [
    ...(/\bw:asciiTheme="minor/.test(xml) ? themeFonts(theme, 'minor') : []),
    ...(/\bw:asciiTheme="major/.test(xml) ? themeFonts(theme, 'major') : []),
  ]
  const brought = new Set(
    part('word/fonttable.xml')
      .split(/(?=<w:font\s)/)
      .filter((font) => /<w:embed(?:Regular|Bold|Italic)/.test(font))
      .map((font) => attribute(font, 'w:name')),
  )
  return [...new Set([...valuesOf(xml, runFont), ...themed])].filter((name) => !brought.has(name))
}

const attribute = (xml: string, name: string): string =>
  decodeReferences(new RegExp(`\\b${name}="([^"]*)"`).exec(xml)?.[1] ?? '')

const themeFonts = (theme: string, kind: 'minor' | 'major'): string[] => {
  const fonts = new RegExp(`<a:${kind}Font>\\s*<a:latin\\b[^<>]*`).exec(theme)?.[0] ?? ''
  return [attribute(fonts, 'typeface')].filter((name) => name !== '')
}

export function slideFonts(part: Part, slides: string): string[] {
  const theme = part('ppt/theme/theme1.xml')
  const direct = valuesOf(slides, /<a:latin\b[^<>]*\btypeface="([^"+][^"]*)"/g)
  return [...new Set([...direct, ...themeFonts(theme, 'minor'), ...themeFonts(theme, 'major')])]
}

/** Those of the formats that cells may have; the fonts of a named style that no cell has do not count. */
export function sheetFonts(part: Part): string[] {
  const styles = part('xl/styles.xml')
  const [formats = ''] = elementsIn(styles, 'cellXfs')
  const used = new Set(valuesOf(formats, /\bfontId="(\d{1,5})"/g))
  const fonts = styles.split(/<font>|<font\s[^<>]*>/).slice(1)
  const shown = fonts
    .filter((_, index) => used.has(String(index)))
    .map((font) => font.split('</font>', 1)[0] ?? '')
  return valuesOf(shown.join(''), /<name val="([^"]*)"/g)
}

export function openDocumentFonts(part: Part): string[] {
  const body = part('content.xml')
  const styles = part('styles.xml')
  const defaults = elementsIn(styles, 'style:default-style').join('')
  const names = valuesOf(body + defaults, /\bstyle:font-name="([^"]*)"/g)
  return names.map((name) => openFamily(body + styles, name))
}

/** A style names a declaration of a font, and that names the family. */
function openFamily(xml: string, name: string): string {
  const at = xml.indexOf(`<style:font-face style:name="${name}"`)
  const family = at === -1 ? '' : attribute(xml.slice(at, at + 500), 'svg:font-family')
  return family.replaceAll(/^'|'$/g, '') || name
}

/** The first font of a list in a style sheet is the requested one. */
export function pageFonts(html: string): string[] {
  const brought = new Set(
    [...html.matchAll(/@font-face\s*\{([^{}]{0,100000})\}/gi)]
      .filter(([, rules = '']) => /\bdata:/i.test(rules))
      .flatMap(([, rules = '']) => firstFonts(rules)),
  )
  return firstFonts(html).filter((name) => !brought.has(name))
}

const firstFonts = (css: string): string[] =>
  valuesOf(css, /\bfont-family\s*:\s*["']?([\w][\w .-]{0,80})/gi).map((name) => name.trim())

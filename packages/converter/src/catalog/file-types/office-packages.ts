import type { FormatName } from '../formats.ts'

// How the zip-based documents name themselves: OOXML by the content type of the main part,
// OpenDocument and EPUB by the entry `mimetype`, flat OpenDocument by the same word in its root element.
//
// Variants that the engines read like the plain format are accepted under it: templates, documents
// with macros (which never run), slide shows, the binary workbook xlsb.

const ooxmlMainTypes: readonly [RegExp, FormatName][] = [
  [/wordprocessingml\.(document|template)\.main\+xml/i, 'docx'],
  [/ms-word\.(document|template)\.macroEnabled(Template)?\.main\+xml/i, 'docx'],
  [/spreadsheetml\.(sheet|template)\.main\+xml/i, 'xlsx'],
  [/ms-excel\.(sheet|template|addin)\.macroEnabled\.main\+xml/i, 'xlsx'],
  [/ms-excel\.sheet\.binary\.macroEnabled\.main/i, 'xlsx'],
  [/presentationml\.(presentation|template|slideshow)\.main\+xml/i, 'pptx'],
  [/ms-powerpoint\.(presentation|template|slideshow)\.macroEnabled\.main\+xml/i, 'pptx'],
  [/ms-visio\.(drawing|template|stencil)\.(macroEnabled\.)?main\+xml/i, 'vsdx'],
]

const mimeTypes: readonly [RegExp, FormatName][] = [
  [/^application\/vnd\.oasis\.opendocument\.text(-template|-master|-web)?$/, 'odt'],
  [/^application\/vnd\.oasis\.opendocument\.spreadsheet(-template)?$/, 'ods'],
  [/^application\/vnd\.oasis\.opendocument\.presentation(-template)?$/, 'odp'],
  [/^application\/vnd\.oasis\.opendocument\.graphics(-template)?$/, 'odg'],
  [/^application\/epub\+zip$/, 'epub'],
]

const firstMatch = (table: readonly [RegExp, FormatName][], text: string) =>
  table.find(([pattern]) => pattern.test(text))?.[1]

export const ooxmlFormat = (contentTypes: string): FormatName | undefined =>
  firstMatch(ooxmlMainTypes, contentTypes)

export const mimeTypeFormat = (mimeType: string): FormatName | undefined =>
  firstMatch(mimeTypes, mimeType.trim())

/** OpenDocument as one XML file: the root element names the type. */
export function flatFormat(head: string): FormatName | undefined {
  if (!/^\uFEFF?\s*</.test(head)) return undefined
  const root = /<office:document\s[^<>]*/.exec(head)?.[0] ?? ''
  return mimeTypeFormat(/\soffice:mimetype\s*=\s*["']([^"'<>]*)["']/.exec(root)?.[1] ?? '')
}

/** Some writers leave `mimetype` out; the manifest names the type of the whole package too. */
export function manifestMimeType(manifest: string): string | undefined {
  for (const [element] of manifest.matchAll(/<(?:\w+:)?file-entry\b[^<>]*>/g)) {
    if (!/full-path\s*=\s*["']\/["']/.test(element)) continue
    return /media-type\s*=\s*["']([^"']*)["']/.exec(element)?.[1]
  }
  return undefined
}

/** EPUB allows fonts to be scrambled against copying; anything else in encryption.xml locks the text. */
export function hasLockedText(encryption: string): boolean {
  const harmless = ['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC']
  const algorithms = [
    ...encryption.matchAll(/<(?:\w+:)?EncryptionMethod\b[^<>]*?Algorithm\s*=\s*["']([^"']*)["']/g),
  ]
  return algorithms.some(([, name]) => !harmless.includes(name ?? ''))
}

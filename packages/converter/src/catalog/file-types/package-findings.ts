import type { ZipPackage } from '../../package/read-package.ts'
import { countWords } from '../../report/count-words.ts'
import type { Findings } from '../../report/findings.ts'
import type { FormatName } from '../formats.ts'
import { openDocumentFonts, sheetFonts, slideFonts, wordFonts } from './named-fonts.ts'

// Contents of a package that the output will lack or show differently, for the report. Detection unpacks every part
// anyway; a few of them are parsed here. In a part that is larger than the limit nothing is counted.

const numbered = (before: string, after: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${before}${index + 1}${after}`)

const slides = numbered('ppt/slides/slide', '.xml', 40)

/** By lower-case name. */
export const partsWithFindings: readonly string[] = [
  'word/document.xml',
  'word/styles.xml',
  'word/fonttable.xml',
  'word/theme/theme1.xml',
  'word/_rels/document.xml.rels',
  'xl/styles.xml',
  ...numbered('xl/drawings/_rels/drawing', '.xml.rels', 10),
  'ppt/theme/theme1.xml',
  ...slides,
  ...numbered('ppt/slides/_rels/slide', '.xml.rels', 40),
  'content.xml',
  'styles.xml',
]

const largestPart = 4 * 1024 * 1024

export function packageFindings(zip: ZipPackage, format: FormatName): Findings {
  const names = [...zip.names]
  const matching = (pattern: RegExp) => names.filter((name) => pattern.test(name)).length
  const part = (name: string) => zip.parts.get(name) ?? ''
  const body = format === 'docx' ? part('word/document.xml') : part('content.xml')
  const found: Findings = {
    input: { pictures: matching(pictureFile) },
    leftOut: {
      macros: matching(macroFile) > 0 ? 1 : 0,
      media: matching(mediaFile),
    },
  }
  switch (format) {
    case 'docx':
      return {
        ...found,
        input: { ...found.input, ...wordsOf(body, wordText) },
        leftOut: { ...found.leftOut, ...remotePictures(zip), objects: count(body, /<o:OLEObject\b/g) },
        askedFonts: wordFonts(part),
      }
    case 'pptx': {
      const shown = slides.map(part).join('')
      const all = matching(/^ppt\/slides\/slide\d+\.xml$/i)
      return {
        ...found,
        input: { ...found.input, pages: all, ...(all <= slides.length ? wordsOf(shown, slideText) : {}) },
        leftOut: { ...found.leftOut, ...remotePictures(zip), objects: count(shown, /<p:oleObj\b/g) },
        askedFonts: slideFonts(part, shown),
      }
    }
    case 'xlsx':
      return {
        ...found,
        leftOut: {
          ...found.leftOut,
          ...remotePictures(zip),
          objects: matching(/^xl\/embeddings\/oleObject[^/]*$/i),
        },
        askedFonts: sheetFonts(part),
      }
    case 'odt':
    case 'ods':
    case 'odp':
    case 'odg': {
      const shown = body.slice(body.indexOf('<office:body'))
      return {
        ...found,
        input: { ...found.input, ...(format === 'ods' ? {} : wordsOf(shown, openText)) },
        leftOut: {
          ...found.leftOut,
          'remote-pictures': count(body, /<draw:image\b[^<>]*xlink:href="https?:/gi),
          objects: count(body, /<draw:object-ole\b/g),
        },
        askedFonts: openDocumentFonts(part),
      }
    }
    default:
      return found
  }
}

const pictureFile =
  /^(?!Thumbnails\/|docProps\/)(?:.*\/)?[^/]+\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|emf|wmf)$/i
const mediaFile =
  /(?:^|\/)(?:media|Media)\/[^/]+\.(?:mp3|m4a|wav|wma|ogg|aac|mp4|m4v|mov|avi|wmv|mpe?g|webm)$/i
const macroFile =
  /(?:^|\/)vbaProject\.bin$|^Basic\/[^/]+\/(?!(?:script|dialog)-lb\.xml$)[^/]+\.xml$|^Scripts\/./i

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length

function remotePictures({ parts }: ZipPackage): Findings['leftOut'] {
  let found = 0
  for (const [name, xml] of parts) {
    if (!name.endsWith('.rels')) continue
    for (const [element] of xml.matchAll(/<Relationship\b[^<>]*>/g)) {
      if (/TargetMode="External"/.test(element) && /\bType="[^"]*\/image"/.test(element)) found += 1
    }
  }
  return { 'remote-pictures': found }
}

// The text of an element, or the end of something between two words.
const wordText = /<w:t(?:\s[^<>]*)?>([^<]*)|<(?:\/w:p|w:tab|w:br)\b/g
const slideText = /<a:t(?:\s[^<>]*)?>([^<]*)|<(?:\/a:p|a:br)\b/g
const openText = />([^<>]+)|<(?:\/text:p|\/text:h|text:tab|text:line-break|text:s)\b/g

function wordsOf(xml: string, pieces: RegExp): Findings['input'] {
  if (xml === '' || xml.length >= largestPart) return {}
  let text = ''
  for (const [, piece = ' '] of xml.matchAll(pieces)) text += piece
  return { words: countWords(text) }
}

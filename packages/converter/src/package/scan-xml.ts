// Reports the tags of an XML part, whose offsets are those of the string, and checks that the part is well formed. Every
// character is read a fixed number of times, so that the time is linear for every file.
//
// A general parser decodes the text between the tags as well, which takes most of its time and is not needed here.

import { decodeReferences } from './xml-references.ts'

export interface XmlTag {
  readonly name: string
  /** With references decoded. */
  readonly attributes: Readonly<Record<string, string>>
  readonly isSelfClosing: boolean
  readonly start: number
  readonly end: number
}

export interface TagHandler {
  open(tag: XmlTag): void
  /** Not called for an empty-element tag. */
  close(start: number, end: number): void
}

export class NotWellFormed extends Error {}

const [tab, lineFeed, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20]
const [exclamation, doubleQuote, singleQuote, slash] = [0x21, 0x22, 0x27, 0x2f]
const [equals, greaterThan, question] = [0x3d, 0x3e, 0x3f]

/** Control characters other than tabs, line breaks and those from U+007F; noncharacters; unpaired surrogates. */
const forbidden = /[^\P{Cc}\t\n\r\x7F-\x9F]|[\uFFFE\uFFFF]|\p{Surrogate}/u
const xmlDeclaration =
  /^<\?xml\s+version\s*=\s*(['"])1\.\d\1(?:\s+encoding\s*=\s*(['"])[\w.-]+\2)?(?:\s+standalone\s*=\s*(['"])(?:yes|no)\3)?\s*\?>$/
const noAttributes: XmlTag['attributes'] = Object.freeze(Object.create(null))

/** Throws NotWellFormed, also for a DTD with declarations of its own, which office packages do not have. */
export function scanXml(xml: string, handler: TagHandler): void {
  if (forbidden.test(xml)) throw new NotWellFormed('a forbidden character')
  const scanner = new Scanner(xml)
  const openNames: string[] = []
  let hasRoot = false
  let at = 0
  for (let start = xml.indexOf('<'); start !== -1; start = xml.indexOf('<', at)) {
    scanner.checkText(at, start, openNames.length > 0)
    const next = xml.charCodeAt(start + 1)
    if (next === slash) {
      at = scanner.endTag(start, openNames.pop())
      handler.close(start, at)
    } else if (next === exclamation) {
      at = scanner.declaration(start, openNames.length > 0, hasRoot)
    } else if (next === question) {
      at = scanner.instruction(start)
    } else {
      if (hasRoot && openNames.length === 0) throw new NotWellFormed('a second root')
      hasRoot = true
      const tag = scanner.startTag(start)
      at = tag.end
      if (!tag.isSelfClosing) openNames.push(tag.name)
      handler.open(tag)
    }
  }
  scanner.checkText(at, xml.length, false)
  if (!hasRoot || openNames.length > 0) throw new NotWellFormed('an early end')
}

// Most start tags of a text document are repeated; these are read once. Shorter ones take as long to find as to read,
// longer ones would take long to compare. In a part with so many more new tags than repeated ones none is looked up.
const [minKnownLength, maxKnownLength, maxNewTags] = [16, 500, 300]

class Scanner {
  readonly #xml: string
  readonly #knownTags = new Map<string, XmlTag>()
  /** Fewer those that were repeated. */
  #newTags = 0
  /** Offsets of the next `&` and `]]>`. */
  #reference = -1
  #sectionEnd = -1

  constructor(xml: string) {
    this.#xml = xml
  }

  checkText(start: number, end: number, isInside: boolean): void {
    if (!isInside && this.#skipSpace(start) < end) throw new NotWellFormed('text outside of the root')
    if (this.#reference < start) this.#reference = this.#find('&', start)
    while (this.#reference < end) {
      const after = this.#checkReference(this.#reference)
      this.#reference = this.#find('&', after)
    }
    if (this.#sectionEnd < start) this.#sectionEnd = this.#find(']]>', start)
    if (this.#sectionEnd < end) throw new NotWellFormed('the end of a section')
  }

  startTag(start: number): XmlTag {
    const end = this.#after('>', start)
    const isLookedUp = end - start >= minKnownLength && end - start <= maxKnownLength
    if (!isLookedUp || this.#newTags > maxNewTags) return this.#newStartTag(start)
    const source = this.#xml.slice(start, end)
    const known = this.#knownTags.get(source)
    this.#newTags += known ? -1 : 1
    if (known) {
      const { name, attributes, isSelfClosing } = known
      return { name, attributes, isSelfClosing, start, end }
    }
    const tag = this.#newStartTag(start)
    // A value may contain a `>`.
    if (tag.end === end) this.#knownTags.set(source, tag)
    return tag
  }

  #newStartTag(start: number): XmlTag {
    const nameEnd = this.#nameEnd(start + 1)
    const name = this.#xml.slice(start + 1, nameEnd)
    let attributes: Record<string, string> | undefined
    for (let at = nameEnd; ; ) {
      const next = this.#skipSpace(at)
      const code = this.#xml.charCodeAt(next)
      if (code === greaterThan || code === slash) {
        const isSelfClosing = code === slash
        const end = this.#expect(isSelfClosing ? next + 1 : next, greaterThan)
        return { name, attributes: attributes ?? noAttributes, isSelfClosing, start, end }
      }
      if (next === at) throw new NotWellFormed('no space before an attribute')
      attributes ??= Object.create(null) as Record<string, string>
      at = this.#attribute(next, attributes)
    }
  }

  endTag(start: number, name: string | undefined): number {
    if (name === undefined || !this.#xml.startsWith(name, start + 2)) throw new NotWellFormed('an end tag')
    return this.#expect(this.#skipSpace(start + 2 + name.length), greaterThan)
  }

  /** A comment, a CDATA section or a document type. */
  declaration(start: number, isInside: boolean, hasRoot: boolean): number {
    const xml = this.#xml
    if (xml.startsWith('<!--', start)) return this.#expect(this.#after('--', start + 4), greaterThan)
    if (isInside && xml.startsWith('<![CDATA[', start)) return this.#after(']]>', start + 9)
    const end = this.#after('>', start)
    if (hasRoot || !xml.startsWith('<!DOCTYPE', start) || xml.slice(start, end).includes('['))
      throw new NotWellFormed('a declaration')
    return end
  }

  instruction(start: number): number {
    const nameEnd = this.#nameEnd(start + 2)
    const end = this.#after('?>', nameEnd)
    const isDeclaration = this.#xml.slice(start + 2, nameEnd).toLowerCase() === 'xml'
    if (isDeclaration && (start > 0 || !xmlDeclaration.test(this.#xml.slice(0, end))))
      throw new NotWellFormed('an XML declaration')
    return end
  }

  /** Returns the offset after it. */
  #attribute(start: number, attributes: Record<string, string>): number {
    const xml = this.#xml
    const nameEnd = this.#nameEnd(start)
    const quote = this.#skipSpace(this.#expect(this.#skipSpace(nameEnd), equals))
    const code = xml.charCodeAt(quote)
    if (code !== doubleQuote && code !== singleQuote) throw new NotWellFormed('no quote')
    const name = xml.slice(start, nameEnd)
    if (attributes[name] !== undefined) throw new NotWellFormed('an attribute twice')
    const end = xml.indexOf(code === doubleQuote ? '"' : "'", quote + 1)
    if (end === -1) throw new NotWellFormed('an open quote')
    attributes[name] = this.#value(quote + 1, end)
    return end + 1
  }

  #value(start: number, end: number): string {
    const source = this.#xml.slice(start, end)
    if (!/[<&\t\r\n]/.test(source)) return source
    if (source.includes('<')) throw new NotWellFormed('a tag in a value')
    for (let at = source.indexOf('&'); at !== -1; at = source.indexOf('&', at + 1))
      this.#checkReference(start + at)
    return decodeReferences(source.replaceAll(/\r\n|[\t\r\n]/g, ' '))
  }

  /** Returns the offset after it. */
  #checkReference(at: number): number {
    reference.lastIndex = at
    const found = reference.exec(this.#xml)
    const code = Number(found?.[1]?.replace('x', '0x') ?? space)
    if (!found || code === 0 || code > 0x10ffff || forbidden.test(String.fromCodePoint(code)))
      throw new NotWellFormed('a reference')
    return reference.lastIndex
  }

  #nameEnd(start: number): number {
    let at = start
    while (isNameCharacter(this.#xml.charCodeAt(at))) at++
    const first = this.#xml.charCodeAt(start)
    // A digit, a hyphen or a period.
    if (at === start || (first >= 0x2d && first <= 0x39)) throw new NotWellFormed('a name')
    return at
  }

  #skipSpace(start: number): number {
    let at = start
    while (isSpace(this.#xml.charCodeAt(at))) at++
    return at
  }

  /** The offset after the character. */
  #expect(at: number, code: number): number {
    if (this.#xml.charCodeAt(at) !== code) throw new NotWellFormed('an unexpected character')
    return at + 1
  }

  #after(text: string, start: number): number {
    const at = this.#xml.indexOf(text, start)
    if (at === -1) throw new NotWellFormed(`no ${text}`)
    return at + text.length
  }

  #find(text: string, start: number): number {
    const at = this.#xml.indexOf(text, start)
    return at === -1 ? Number.POSITIVE_INFINITY : at
  }
}

const isSpace = (code: number): boolean =>
  code === space || code === lineFeed || code === carriageReturn || code === tab

/** Every character outside ASCII counts as part of a name. */
const isNameCharacter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x2d && code <= 0x3a && code !== slash) ||
  code === 0x5f ||
  code >= 0x80

const reference = /&(?:#(\d{1,7}|x[\dA-Fa-f]{1,6})|amp|lt|gt|quot|apos);/y

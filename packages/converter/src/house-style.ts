import { describe, detectFileType } from './catalog/file-types/detect-file-type.ts'
import { uploadOf } from './catalog/file-types/upload.ts'
import { maxReferenceBytes, maxStyleSheetBytes } from './catalog/house-style.ts'
import { ConversionFailed } from './failure.ts'
import { readZipPackage } from './package/read-package.ts'

// Validation of house styles, when one is set. A conversion uses only what passed here.

export interface StyleFiles {
  css?: Uint8Array
  reference?: Uint8Array
}

/** The first fault of the files; nothing when they can be used. A service calls it in its worker pool. */
export async function faultOfStyle({ css, reference }: StyleFiles): Promise<string | undefined> {
  const fault = css && faultOfStyleSheet(css)
  return fault ?? (reference && faultOfReference(reference))
}

/** Why this is no style sheet for pages that fetch nothing and that it must not break out of; nothing when it is. */
export function faultOfStyleSheet(bytes: Uint8Array): string | undefined {
  if (bytes.length > maxStyleSheetBytes)
    return `The style sheet has ${bytes.length} bytes; ${maxStyleSheetBytes} are allowed.`
  let css: string
  try {
    css = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return 'The style sheet is not UTF-8. Save it in that encoding.'
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is looked for
  if (css.trim() === '' || /[\0-\x08\x0e-\x1f\x7f]/.test(css)) return 'The file is not a style sheet.'
  // The style sheet is put into a <style> element, which ends at `</`, whatever it means in CSS.
  if (/<\/|<!--/.test(css)) return 'A style sheet must not hold `</` or `<!--`: it is put into pages.'
  // Comments are not skipped: whether text is a comment depends on its context.
  const plain = withoutData(unescaped(css))
  if (/@import\b/i.test(plain))
    return 'A style sheet must not `@import` another: put its rules into this one.'
  if (/(?:https?|ftp|file|wss?):|[/\\]{2}/i.test(plain))
    return 'A style sheet must not name anything outside itself, also not in a comment: put pictures and fonts into it as `data:` addresses.'
  return undefined
}

/** Letters may be written by their numbers. */
const unescaped = (css: string): string =>
  css.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|(.))/gis, (_, hex: string | undefined, other: string) =>
    hex === undefined ? other : character(Number.parseInt(hex, 16)),
  )

const character = (code: number): string =>
  code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'

const withoutData = (css: string): string => css.replaceAll(/\bdata:[^\s"'()]*/gi, '')

/** Why this is no reference document; nothing when it is. */
export async function faultOfReference(bytes: Uint8Array): Promise<string | undefined> {
  if (bytes.length > maxReferenceBytes)
    return `The reference document has ${bytes.length} bytes; ${maxReferenceBytes} are allowed.`
  const upload = uploadOf(Buffer.from(bytes))
  try {
    const found = await detectFileType(upload)
    if (!('format' in found && found.format === 'docx'))
      return `A reference document is a DOCX file; this is ${describe(found)}.`
    const { names, parts } = await readZipPackage(upload, {
      wanted: (name) => /\.(?:rels|xml)$/.test(name),
    })
    const isEnabled = /macroEnabled/i.test(parts.get('[content_types].xml') ?? '')
    if (isEnabled || [...names].some((name) => /vba|activex|(?:^|\/)embeddings\//i.test(name)))
      return 'A reference document must hold no macros, controls or embedded files. Save it without them.'
    // No word processor writes one, and no reader of such documents takes it.
    if ([...parts.values()].some((xml) => xml.includes('<!DOCTYPE')))
      return 'The reference document is not as word processors write it. Open it in one and save it again.'
    if ([...parts].some(([name, xml]) => name.endsWith('.rels') && leadsOutside(xml)))
      return 'The reference document refers to a template or a picture outside itself. Embed the picture, detach the template, and save it again.'
    return undefined
  } catch (error) {
    if (error instanceof ConversionFailed) return error.message
    throw error
  }
}

/** Links for readers may lead anywhere. */
const leadsOutside = (relationships: string): boolean =>
  [...relationships.matchAll(/<(?:\w+:)?Relationship\b[^<>]*>/g)].some(
    ([element]) =>
      /\bTargetMode\s*=\s*["']External["']/i.test(element) &&
      !/\bType\s*=\s*["'][^"']*\/hyperlink["']/i.test(element),
  )

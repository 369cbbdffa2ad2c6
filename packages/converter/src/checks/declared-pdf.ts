import { createReadStream } from 'node:fs'
import type { OfficeArgument } from '../catalog/options/office.ts'

// A PDF that was asked to be PDF/A or PDF/UA has to declare it and to meet what can be checked from outside: PDF/A embeds
// every font and defines its colours, PDF/UA is tagged. This is no validation: only a validator of the standard can say
// whether every tag, glyph and colour conforms.

export type Declared = NonNullable<OfficeArgument['declares']>

/** Up to a megabyte each, and the document controls what they say. */
interface PopplerOutputs {
  metadata: string
  fonts: string
  info: string
}

/** What keeps it from being such a file; nothing when it is one. Runs in the worker pool. */
export async function findFault(
  path: string,
  declared: Declared,
  { metadata, fonts, info }: PopplerOutputs,
): Promise<string | undefined> {
  if (declared.pdfa !== undefined) {
    const [part = '', level = ''] = declared.pdfa
    const isDeclared =
      fieldOf(metadata, 'pdfaid:part') === part &&
      fieldOf(metadata, 'pdfaid:conformance').toLowerCase() === level
    const file = `PDF/A-${declared.pdfa} file`
    if (!isDeclared) return `${file}: it does not declare itself to be one`
    if (hasFontOutside(fonts)) return `${file}: one of its fonts cannot be embedded`
    if (!(await holds(path, '/OutputIntent'))) return `${file}: its colours are not defined`
  }
  if (declared.pdfua) {
    if (fieldOf(metadata, 'pdfuaid:part') !== '1') return 'PDF/UA file: it does not declare itself to be one'
    if (!/^Tagged: +yes$/m.test(info)) return 'PDF/UA file: it has no structure'
  }
  return undefined
}

/** Metadata has it as an element or as an attribute. */
function fieldOf(xml: string, name: string): string {
  const found = new RegExp(`<${name}>\\s*(\\w+)\\s*<|\\b${name}\\s*=\\s*["'](\\w+)`).exec(xml)
  return found?.[1] ?? found?.[2] ?? ''
}

/** Two lines of headings; then a line for each font, whose fifth field from the end says whether it is embedded. */
const hasFontOutside = (table: string): boolean =>
  table
    .split('\n')
    .slice(2)
    .some((line) => line.trim() !== '' && line.trim().split(/\s+/).at(-5) !== 'yes')

async function holds(path: string, text: string): Promise<boolean> {
  let rest = ''
  for await (const chunk of createReadStream(path, { encoding: 'latin1' }) as AsyncIterable<string>) {
    if ((rest + chunk).includes(text)) return true
    rest = chunk.slice(-text.length)
  }
  return false
}

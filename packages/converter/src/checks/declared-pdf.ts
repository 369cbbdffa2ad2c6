import { createReadStream } from 'node:fs'
import type { OfficeArgument } from '../catalog/options/office.ts'

// A PDF that was requested as PDF/A or PDF/UA has to declare it and to meet the requirements that can be checked from
// outside: PDF/A embeds every font and defines its colours, PDF/UA is tagged. This is not a validation: only a
// validator of the standard can decide whether every tag, glyph and colour conforms.

export type Declared = NonNullable<OfficeArgument['declares']>

/** Up to a megabyte each; the document controls their content. */
interface PopplerOutputs {
  metadata: string
  fonts: string
  info: string
}

/** Why the file does not conform; undefined when it does. Runs in the worker pool. */
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

/** Two header lines, then a line for each font, whose fifth field from the end is `yes` when it is embedded. */
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

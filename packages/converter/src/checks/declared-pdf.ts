import { createReadStream } from 'node:fs'
import type { OfficeArgument } from '../catalog/options/office.ts'
import { failed } from '../failure.ts'

// A PDF that was asked to be PDF/A or PDF/UA has to say so, and to have what can be seen from outside: for PDF/A every
// font inside and a definition of its colours, for PDF/UA a structure. That is no validation: whether every tag,
// glyph and colour keeps the standard, only a validator of the standard can tell.

export type Declared = NonNullable<OfficeArgument['declares']>

/** What poppler's programs say of the file, by their arguments. */
export type Ask = (program: string, args: readonly string[]) => Promise<string>

export async function checkDeclared(path: string, declared: Declared, ask: Ask): Promise<void> {
  const metadata = await ask('pdfinfo', ['-meta', '/in'])
  if (declared.pdfa !== undefined) {
    const [part = '', level = ''] = declared.pdfa
    if (
      fieldOf(metadata, 'pdfaid:part') !== part ||
      fieldOf(metadata, 'pdfaid:conformance').toLowerCase() !== level
    )
      throw missing(`PDF/A-${declared.pdfa}`, 'it does not declare itself to be one')
    if (hasFontOutside(await ask('pdffonts', ['/in'])))
      throw missing(`PDF/A-${declared.pdfa}`, 'one of its fonts cannot be embedded')
    if (!(await holds(path, '/OutputIntent')))
      throw missing(`PDF/A-${declared.pdfa}`, 'its colours are not defined')
  }
  if (declared.pdfua) {
    if (fieldOf(metadata, 'pdfuaid:part') !== '1')
      throw missing('PDF/UA', 'it does not declare itself to be one')
    if (!/^Tagged: +yes$/m.test(await ask('pdfinfo', ['/in']))) throw missing('PDF/UA', 'it has no structure')
  }
}

const missing = (what: string, why: string) =>
  failed.unsupported(`The document could not be made a ${what} file: ${why}. Ask for an ordinary PDF.`)

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

import type { Run } from '../blocks/block.ts'
import { familyOf } from '../font-names.ts'
import type { Style } from '../lines/line.ts'
import { isRtl } from '../lines/scripts.ts'
import { breakMark, pageMark, pagesMark } from '../marks.ts'
import type { Field } from '../read/page.ts'
import { setSize } from '../set-width.ts'
import { controlXml, fieldText, isControl, shownIn } from './controls.ts'
import { toOmml } from './formulas/omml.ts'
import type { Part } from './part.ts'
import { escapeXml, twips } from './xml.ts'

export const halfPoints = (size: number): number => 2 * setSize(size)

const highlights: Record<string, string> = {
  ffff00: 'yellow',
  '00ff00': 'green',
  '00ffff': 'cyan',
  ff00ff: 'magenta',
}

export interface LookOptions {
  /** Already set by the paragraph style. */
  bold?: boolean
  /** Additional letter spacing, in points. */
  spread?: number
}

function runProperties(
  part: Part,
  style: Style,
  text: string,
  base: { family: string; size: number },
  options: LookOptions = {},
): string {
  const family = familyOf(style.font)
  part.shared.fonts.set(family.name, family)
  let out = ''
  const f = escapeXml(family.name)
  if (family.name !== base.family) {
    out += `<w:rFonts w:ascii="${f}" w:hAnsi="${f}" w:eastAsia="${f}" w:cs="${f}"/>`
  }
  if (style.bold !== (options.bold ?? false))
    out += style.bold ? '<w:b/><w:bCs/>' : '<w:b w:val="0"/><w:bCs w:val="0"/>'
  if (style.italic) out += '<w:i/><w:iCs/>'
  if (style.strike) out += '<w:strike/>'
  if (style.color !== '000000') out += `<w:color w:val="${style.color.toUpperCase()}"/>`
  const spacing = twips(
    (part.shared.spacing.get(style.font) ?? 0) * setSize(style.size) + (options.spread ?? 0),
  )
  if (spacing !== 0) out += `<w:spacing w:val="${spacing}"/>`
  const size = halfPoints(style.script ? scriptBase(style, base.size) : style.size)
  if (size !== halfPoints(base.size)) out += `<w:sz w:val="${size}"/><w:szCs w:val="${size}"/>`
  const highlight = style.highlight && highlights[style.highlight]
  if (highlight) out += `<w:highlight w:val="${highlight}"/>`
  if (style.underline) out += '<w:u w:val="single"/>'
  if (style.script) out += `<w:vertAlign w:val="${style.script === 'super' ? 'superscript' : 'subscript'}"/>`
  if (isRtl(text)) out += '<w:rtl/>'
  return out ? `<w:rPr>${out}</w:rPr>` : ''
}

/** Word scales superscripts and subscripts to about five eighths. */
const shownSmaller = 0.62
/** A script whose full size is that of the text within a quarter belongs to it. */
const nearlyAround = 0.25

/** Word scales superscripts and subscripts itself; their size is that of the surrounding text. */
function scriptBase(style: Style, around: number): number {
  const full = style.size / shownSmaller
  return Math.abs(full - around) < nearlyAround * around ? around : full
}

function textElements(text: string): string {
  let out = ''
  for (const bit of text.split(/(\t|\n|\u00ad)/)) {
    if (bit === '\t') out += '<w:tab/>'
    else if (bit === '\n') out += '<w:br/>'
    else if (bit === breakMark) out += '<w:softHyphen/>'
    else if (bit) out += `<w:t xml:space="preserve">${escapeXml(bit)}</w:t>`
  }
  return out
}

/** Serializes runs with the links around them. */
export function writeRuns(
  part: Part,
  runs: readonly Run[],
  base: { family: string; size: number },
  options: LookOptions = {},
): string {
  let out = ''
  let open: { key: string; xml: string } | undefined
  const close = (): void => {
    if (open) out += `${open.xml}</w:hyperlink>`
    open = undefined
  }
  let control: { field: Field; xml: string } | undefined
  const endControl = (): void => {
    if (control) out += controlXml(control.field, part.shared.nextId(), control.xml)
    control = undefined
  }
  for (const run of runs) {
    const { link } = run.style
    if (run.note !== undefined) {
      close()
      endControl()
      out += `<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="${run.note}"/></w:r>`
      if (/\s$/.test(run.text)) out += '<w:r><w:t xml:space="preserve"> </w:t></w:r>'
      continue
    }
    const { field } = run.style
    if (field && isControl(field)) {
      close()
      if (control?.field !== field) {
        endControl()
        control = { field, xml: '' }
      }
      const shown = shownIn(field, run.text)
      control.xml += `<w:r>${runProperties(part, run.style, shown, base, options)}${textElements(shown)}</w:r>`
      continue
    }
    endControl()
    if (run.style.math) {
      close()
      out += toOmml(run.style.math.tree)
      if (/\s$/.test(run.text)) out += '<w:r><w:t xml:space="preserve"> </w:t></w:r>'
      continue
    }
    const xml = withNumbers(fieldText(run), (text) =>
      text === '' ? '' : `<w:r>${runProperties(part, run.style, run.text, base, options)}${text}</w:r>`,
    )
    let attribute: string | undefined
    if (link?.uri && isSafe(link.uri)) attribute = `r:id="${part.link(link.uri)}"`
    else if (link?.target) {
      const anchor = part.shared.anchors.at(link.target.page, link.target.y)
      if (anchor) attribute = `w:anchor="${anchor}"`
    }
    if (open && open.key === attribute) {
      open.xml += xml
      continue
    }
    close()
    if (attribute) open = { key: attribute, xml: `<w:hyperlink ${attribute} w:history="1">${xml}` }
    else out += xml
  }
  close()
  endControl()
  return out
}

/** Page numbers are placeholder characters in the text; each becomes a field. `run` wraps the content of a run. */
function withNumbers(text: string, run: (inner: string) => string): string {
  return text
    .split(/([\ue0f0\ue0f1])/)
    .map((t) => {
      if (t !== pageMark && t !== pagesMark) return run(textElements(t))
      const name = t === pageMark ? 'PAGE' : 'NUMPAGES'
      const mark = (type: string): string => run(`<w:fldChar w:fldCharType="${type}"/>`)
      const code = run(`<w:instrText xml:space="preserve"> ${name} </w:instrText>`)
      return mark('begin') + code + mark('separate') + run('<w:t>1</w:t>') + mark('end')
    })
    .join('')
}

/** Links that start programs or scripts are removed. */
const isSafe = (uri: string): boolean => !/^\s*(javascript|vbscript|data|file):/i.test(uri)

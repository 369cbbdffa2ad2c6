import type { Run } from '../blocks/block.ts'
import { emptyFieldMark } from '../marks.ts'
import type { Field } from '../read/page.ts'
import { escapeXml } from './xml.ts'

// Form fields as content controls: text, drop-down lists, check boxes.

/** Word's placeholder for an empty field. */
const blank = '\u2002'.repeat(5)
const ticked = '\u2612'
const open = '\u2610'

/** Buttons have actions that do not exist in a document; a signature is a picture. */
export const isControl = (field: Field): boolean => field.kind !== 'button' && field.kind !== 'signature'

const isBox = (field: Field): boolean => field.kind === 'check' || field.kind === 'radio'

/** The text displayed in place of the field. */
export function shownIn(field: Field, text: string): string {
  if (isBox(field)) return field.checked ? ticked : open
  return text.replaceAll(emptyFieldMark, blank)
}

/** The same for formats without controls. */
export function fieldText(run: Run): string {
  const { field } = run.style
  if (!field || !isControl(field)) return run.text.replaceAll(emptyFieldMark, '')
  return shownIn(field, run.text.replaceAll(emptyFieldMark, '_____'))
}

/** Word's limit in characters. */
const longestName = 64

export function controlXml(field: Field, id: number, content: string): string {
  const name = escapeXml([...field.name].slice(0, longestName).join(''))
  const names = name ? `<w:alias w:val="${name}"/><w:tag w:val="${name}"/>` : ''
  return `<w:sdt><w:sdtPr>${names}<w:id w:val="${id}"/>${kindXml(field)}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`
}

function kindXml(field: Field): string {
  if (isBox(field))
    return `<w14:checkbox><w14:checked w14:val="${field.checked ? 1 : 0}"/><w14:checkedState w14:val="2612" w14:font="MS Gothic"/><w14:uncheckedState w14:val="2610" w14:font="MS Gothic"/></w14:checkbox>`
  if (field.kind === 'text') return '<w:text w:multiLine="1"/>'
  // Duplicate entries would be an error in Word.
  const entries = [...new Set(field.options)].filter((o) => o !== '')
  const items = entries.map((o) => `<w:listItem w:displayText="${escapeXml(o)}" w:value="${escapeXml(o)}"/>`)
  return `<w:comboBox>${items.join('')}</w:comboBox>`
}

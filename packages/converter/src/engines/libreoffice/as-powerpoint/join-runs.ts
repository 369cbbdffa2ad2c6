import { childOf, descendants, type XmlEditor, type XmlNode } from '../../../package/edit-xml.ts'

// PowerPoint splits text into runs where its spelling checker worked or text was typed later, even if the formatting
// does not change. LibreOffice lays out each run separately: twice as many take twice as long, and there is no kerning
// across runs. So adjacent runs with the same formatting are merged.

/** Attributes of the spelling checker and the editor. */
const notes = new Set(['dirty', 'err', 'smtClean', 'noProof', 'bmk'])

export function joinRuns(paragraph: XmlNode, editor: XmlEditor): void {
  if (paragraph.name !== 'a:p') return
  let last: { run: XmlNode; text: XmlNode; look: string | undefined } | undefined
  for (const run of paragraph.children) {
    const text = textOf(run)
    const look = text && lookOf(childOf(run, 'a:rPr'), editor)
    if (last && text && look !== undefined && look === last.look && last.run.closeEnd === run.start)
      editor.replace(last.text.closeStart, text.end, '')
    last = text && { run, text, look }
  }
}

/** The text element of a run that has nothing but properties and text. */
function textOf(run: XmlNode): XmlNode | undefined {
  if (run.name !== 'a:r') return undefined
  const text = run.children.at(-1)
  const before = run.children.length - (childOf(run, 'a:rPr') ? 1 : 0)
  return text?.name === 'a:t' && !text.isSelfClosing && before === 1 ? text : undefined
}

/** The formatting as a string; undefined for a link, which has its own area on the page. */
function lookOf(properties: XmlNode | undefined, editor: XmlEditor): string | undefined {
  if (!properties) return ''
  for (const { name } of descendants(properties)) if (name.startsWith('a:hlink')) return undefined
  let look = editor.source(properties.end, properties.closeStart)
  for (const [name, value] of Object.entries(properties.attributes))
    if (!notes.has(name)) look += `\n${name}=${value}`
  return look
}

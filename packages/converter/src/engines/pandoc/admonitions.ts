// Admonitions of Markdown:
//
//   :::note Title, :::note[Title], ::: note, up to :::   Docusaurus, VitePress
//   !!! note "Title", ??? note, === "Title"              Python-Markdown and MkDocs; the body is indented

export interface Admonition {
  isIndented: boolean
  indent: string
  colons: string
  type: string
  title: string
}

const titles: Readonly<Record<string, string>> = {
  attention: 'Attention',
  caution: 'Caution',
  danger: 'Danger',
  error: 'Error',
  hint: 'Hint',
  important: 'Important',
  info: 'Info',
  note: 'Note',
  tip: 'Tip',
  warning: 'Warning',
}

const fenced = /^([ \t]*)(:{3,})[ \t]*([a-z][\w-]*)(.*)$/i
const indented = /^([ \t]*)(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+(.+)$/
const types = /^([a-z][\w-]*)(?:[ \t]+[\w-]+)*[ \t]*$/i

export function admonitionIn(whole: string): Admonition | undefined {
  const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole
  const [, indent = '', colons = '', type = '', behind = ''] = fenced.exec(line) ?? []
  if (type !== '') {
    const title = titleOf(behind) ?? titles[type.toLowerCase()]
    return title === undefined ? undefined : { isIndented: false, indent, colons, type, title }
  }
  const [, before = '', words = ''] = indented.exec(line) ?? []
  const [kind = '', quoted] = words.split('"')
  const [, name = ''] = types.exec(kind) ?? []
  const isTab = line.trimStart().startsWith('=')
  if (isTab ? kind.trim() !== '' || quoted === undefined : name === '') return undefined
  const title = trimmed(quoted ?? titles[name.toLowerCase()] ?? name)
  return { isIndented: true, indent: before, colons: ':::', type: isTab ? 'tab' : name, title }
}

/** Undefined where attributes of pandoc, or nothing, are behind the type. */
function titleOf(behind: string): string | undefined {
  const text = trimmed(behind.split('{', 1)[0] ?? '')
  const title = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  return title === '' || title.startsWith(':') ? undefined : title
}

/** Without white space of ASCII at both ends: trim() would break UTF-8 in Latin-1, whose bytes include a space. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isBlank(text[start])) start += 1
  while (end > start && isBlank(text[end - 1])) end -= 1
  return text.slice(start, end)
}

const isBlank = (character: string | undefined) => character === ' ' || character === '\t'

/** The lines in place of the first. A body that begins with a title or a heading has none added. */
export function opening({ indent, colons, type, title }: Admonition, next: string): string[] {
  const start = `${indent}${colons} ${type}`
  const isTitled = title === '' || /^[ \t]*(?:\*\*|__|#)/.test(next)
  return isTitled ? [start, ''] : [start, '', `${indent}**${title.replaceAll('**', '')}**`, '']
}

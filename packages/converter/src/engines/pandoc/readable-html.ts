import { tag } from '../../catalog/file-types/shown-text.ts'

// Changes HTML that pandoc does not read:
//
//   lists         pandoc drops what is in no item. Text directly in a list becomes one
//   textarea      becomes preformatted text
//   colspan="0"   pandoc drops such a cell. The attribute is removed: browsers take it for 1

const token = new RegExp(
  `<!--[\\s\\S]*?(?:-->|$)|<(script|style)\\b[\\s\\S]*?(?:</\\1\\b[^>]*>?|$)|${tag.source}|[^<]+|<`,
  'gi',
)
const nameOf = /^<(\/?)([a-z][^\s/>]*)/i
const blank = /^(?:\s|&nbsp;|&#160;|\u00c2\u00a0)*$/
const emptyElement = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/

interface List {
  item: '<li>' | '<dd>'
  isInItem: boolean
  /** Of the elements since the last item: how many are open, and where the first begins. */
  open: number
  first: number | undefined
}

export function readableHtml(html: string): string {
  if (!/<(?:[uod]l|textarea)\b|colspan/i.test(html)) return html
  const pieces: string[] = []
  const lists: List[] = []
  for (const { 0: whole } of html.matchAll(token)) {
    const [, slash, given = ''] = nameOf.exec(whole) ?? []
    const name = given.toLowerCase()
    const list = lists.at(-1)
    if (/^[uod]l$/.test(name)) {
      if (slash) lists.pop()
      else lists.push({ item: name === 'dl' ? '<dd>' : '<li>', isInItem: false, open: 0, first: undefined })
    } else if (list && /^(?:li|dt|dd)$/.test(name)) {
      Object.assign(list, { isInItem: !slash, open: 0, first: undefined })
    } else if (list && !list.isInItem) {
      if (whole[0] !== '<' || whole === '<') beginItem(list, whole, pieces)
      else if (!/^(?:script|style)?$/.test(name) && !emptyElement.test(name)) {
        if (!slash && list.open === 0) list.first = pieces.length
        list.open += slash ? -1 : 1
        // An element outside of the list has ended, and the list with it.
        if (list.open < 0) lists.length = 0
      }
    }
    pieces.push(changedTag(whole, name))
  }
  return pieces.join('')
}

function beginItem(list: List, text: string, pieces: string[]): void {
  if (blank.test(text)) return
  if (list.open > 0 && list.first !== undefined) pieces[list.first] = list.item + pieces[list.first]
  else pieces.push(list.item)
  list.isInItem = true
}

function changedTag(whole: string, name: string): string {
  if (name === 'textarea') return whole.replace(/textarea/i, 'pre')
  if (name !== 'td' && name !== 'th') return whole
  return whole.replace(/\scolspan\s*=\s*(["']?)(?:-\d+|0+)\1(?=[\s/>])/i, '')
}

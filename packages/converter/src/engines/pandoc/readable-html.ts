import { tag } from '../../catalog/file-types/shown-text.ts'

// Changes HTML that pandoc does not read:
//
//   lists         pandoc drops what is in no item. Text directly in a list becomes one
//   textarea      becomes preformatted text
//   colspan="0"   pandoc drops such a cell. The attribute is removed: browsers take it for 1
//   checkboxes    become the characters by which pandoc marks the items of a task list
//   readings      of ruby text get parentheses where the page has none

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
  if (!/<(?:[uod]l|textarea|input|rt)\b|colspan/i.test(html)) return html
  const pieces: string[] = []
  const lists: List[] = []
  const parentheses = createParentheses()
  let isItemStart = false
  for (const { 0: whole } of html.matchAll(token)) {
    const [, slash, given = ''] = nameOf.exec(whole) ?? []
    const name = given.toLowerCase()
    if (name === 'li') isItemStart = !slash
    else if (isItemStart && name === 'input') pieces.push(taskMark(whole))
    else if (!beforeMark.test(name) || !blank.test(name ? '' : whole)) isItemStart = false
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
    pieces.push(...parentheses(changedTag(whole, name), name, slash === '/'))
  }
  return pieces.join('')
}

/** What may stand in an item before the checkbox of a task. */
const beforeMark = /^(?:p|label|span)?$/

function taskMark(input: string): string {
  if (!/\stype\s*=\s*["']?checkbox\b/i.test(input)) return ''
  return /\schecked(?=[\s=/>])/i.test(input) ? '&#9746; ' : '&#9744; '
}

/** Returns a tag with the parentheses around a reading. */
function createParentheses(): (tag: string, name: string, isEnd: boolean) => string[] {
  let [isReading, hasOwn] = [false, false]
  return (tag, name, isEnd) => {
    if (!/^(?:ruby|rb|rt|rp)$/.test(name)) return [tag]
    hasOwn = name === 'rp' || (hasOwn && name !== 'ruby')
    const last = isReading ? ['<rp>)</rp>'] : []
    isReading = name === 'rt' && !isEnd && !hasOwn
    if (isReading) return [...last, '<rp>(</rp>', tag]
    return name === 'rt' && isEnd ? [tag, ...last] : [...last, tag]
  }
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

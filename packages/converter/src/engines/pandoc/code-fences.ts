// Pandoc takes a fence with more than a word behind it, such as ```js title="app.js", for code within a line, and joins the
// lines of the block. Only the language stays: the rest are instructions to other programs.

const line = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})(.*)$/s

/** Pandoc's own attributes: {#id .class key=value}. Items are separated, so that they match in one way only. */
const item = String.raw`(?:[.#][^\s{}"']+|[\w:-]+=(?:"[^"]*"|[^\s{}"']+))`
const attributes = new RegExp(String.raw`^\{[ \t]*${item}(?:[ \t]+${item})*[ \t]*\}$`)

const language = /^[{.]*([\w+#-][\w+#.-]*)/

interface Fence {
  line: string
  /** The fence of the code block that is open behind the line, or nothing. */
  open: string
}

export function readableFence(whole: string, open: string): Fence {
  const [, before = '', fence = '', behind = ''] = line.exec(whole) ?? []
  const info = behind.trim()
  if (fence === '') return { line: whole, open }
  if (open !== '') return { line: whole, open: info === '' && fence.startsWith(open) ? '' : open }
  if (fence[0] === '`' && info.includes('`')) return { line: whole, open: '' }
  if (!/[ \t]/.test(info) || attributes.test(info)) return { line: whole, open: fence }
  const end = behind.endsWith('\r') ? '\r' : ''
  return { line: `${before}${fence}${language.exec(info)?.[1] ?? ''}${end}`, open: fence }
}

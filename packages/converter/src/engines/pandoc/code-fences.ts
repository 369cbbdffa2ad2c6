// Pandoc takes a fence with more than a word behind it, such as ```js title="app.js", for code within a line, and joins the
// lines of the block. Only the language stays: the rest are instructions to other programs.

const line = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})([^\n]*)$/gm

/** Pandoc's own attributes: {#id .class key=value}. Items are separated, so that they match in one way only. */
const item = String.raw`(?:[.#][^\s{}"']+|[\w:-]+=(?:"[^"]*"|[^\s{}"']+))`
const attributes = new RegExp(String.raw`^\{[ \t]*${item}(?:[ \t]+${item})*[ \t]*\}$`)

const language = /^[{.]*([\w+#-][\w+#.-]*)/

export function readableFences(markdown: string): string {
  if (!markdown.includes('```') && !markdown.includes('~~~')) return markdown
  let open = ''
  return markdown.replaceAll(line, (whole, before: string, fence: string, behind: string) => {
    const info = behind.trim()
    if (open !== '') {
      if (info === '' && fence.startsWith(open)) open = ''
      return whole
    }
    if (fence[0] === '`' && info.includes('`')) return whole
    open = fence
    if (!/[ \t]/.test(info) || attributes.test(info)) return whole
    return `${before}${fence}${language.exec(info)?.[1] ?? ''}${behind.endsWith('\r') ? '\r' : ''}`
  })
}

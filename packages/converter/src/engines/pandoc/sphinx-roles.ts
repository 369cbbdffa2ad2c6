// Roles of Sphinx. Pandoc shows the text of a role that it does not know as code, with what only Sphinx reads: the target
// of a reference, the ~ of a short name, the label of a section instead of its title.

const maxText = 500
const role = new RegExp(
  String.raw`\`\`(?:[^\`]|\`(?!\`)){0,1000}\`\`|(?<![\w\`\\]):(?<name>(?:[a-z][\w+.-]{0,40}:){0,2}[a-z][\w+.-]{0,40}):\`(?<text>[^\`]{1,${maxText}})\``,
  'g',
)

/** What docutils knows. */
const standard =
  /^(?:math|su[bp](?:script)?|superscript|strong|emphasis|literal|code|title|t|title-reference|raw|pep-reference|rfc-reference)$/
const prose = /^(?:any|ref|doc|numref|eq|term|abbr|download|guide|manual|token|keyword|dfn)$/
const marked = /^(?:guilabel|menuselection)$/
const called = /^(?:func|meth)$/

/** `:ref:` and its relatives, by the titles of the sections that the labels name. */
export function plainRoles(rst: string, titles: ReadonlyMap<string, string>): string {
  return rst.replaceAll(role, (...match) => {
    const { name, text } = match.at(-1) as { name?: string; text?: string }
    const whole = String(match[0])
    if (name === undefined || text === undefined || standard.test(name) || /\n\s*\n/.test(text)) return whole
    const [kind = ''] = name.split(':').slice(-1)
    const words = text.replaceAll(/[ \t\r\n]+/g, ' ')
    const [, title] = /^(.*[^ <]) ?<[^<>]+>$/.exec(words) ?? []
    if (kind === 'pep' || kind === 'rfc') return title ?? `${kind.toUpperCase()} ${words}`
    if (prose.test(kind)) return escaped(title ?? titles.get(words.toLowerCase()) ?? words)
    if (marked.test(kind)) return `**${words.replaceAll('-->', '>').replaceAll('&', '')}**`
    return `\`\`${title ?? codeOf(words, kind)}\`\``
  })
}

function codeOf(words: string, kind: string): string {
  const short = words.startsWith('~') ? (words.split('.').at(-1) ?? words) : words
  const name = short.replace(/^[~!]/, '')
  if (kind === 'file' || kind === 'samp') return name.replaceAll(/[{}]/g, '')
  return called.test(kind) && !name.endsWith(')') ? `${name}()` : name
}

const escaped = (text: string): string => text.replaceAll(/[*`|_]/g, '\\$&')

const label =
  /^\.\. _(?:`([^`\n]{1,200})`|([^:\n`]{1,200})):[ \t]*\r?\n(?:[ \t]*\r?\n){1,3}([^\s.][^\n]{0,200})\r?\n[=\-~^"'#*+.:]{2}/gm
const overlined =
  /^\.\. _(?:`([^`\n]{1,200})`|([^:\n`]{1,200})):[ \t]*\r?\n(?:[ \t]*\r?\n){1,3}[=\-~^"'#*+.:]{2,200}\r?\n[ \t]*(\S[^\n]{0,200})\r?\n/gm

/** The titles of sections with labels. */
export function sectionTitles(rst: string): ReadonlyMap<string, string> {
  const titles = new Map<string, string>()
  for (const pattern of [overlined, label])
    for (const [, quoted, plain, title = ''] of rst.matchAll(pattern))
      if (!/^[=\-~^"'#*+.:]+\s*$/.test(title))
        titles.set((quoted ?? plain ?? '').toLowerCase(), title.replace(/[ \t\r]{1,200}$/, ''))
  return titles
}

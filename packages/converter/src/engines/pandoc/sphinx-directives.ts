import { plainRoles, sectionTitles } from './sphinx-roles.ts'

// Changes reStructuredText for Sphinx, whose directives pandoc does not know: it shows their arguments and contents as text.
//
//   .. py:function:: f(x)     with a domain, pandoc drops the signature
//   .. class:: Kiln(x)        has the name of a directive of docutils, whose argument is a style, but never in a text that
//                             describes other objects of Sphinx
//   .. epigraph:: Text        has no argument: pandoc would drop the text that follows the name
//   .. versionadded:: 2.0     begins with what Sphinx writes
//   .. toctree::              becomes a list
//   .. index:: word           shows nothing, like others that are instructions to Sphinx
//   >>> code, -o  option      are code, and a definition list
//
// Literal blocks stay as they are.

const domain = /^(\.\.\s+)((?:[\w+.-]+:)+)(?=[\w+.-]+::\s)/
/** Names of styles are in lower case and have no dots. */
const classOfCode = /^(\.\.\s+)(?=class::\s+[^\s(]*[A-Z.(])/
const sphinxObject =
  /^[ \t]*\.\.[ \t]+(?:py:\w+|(?:current)?module|function|method|(?:class|static)method|attribute|data|exception)::/m
const quote = /^(\.\.\s+(?:epigraph|pull-quote|highlights|compound)::)[ \t]+(?=\S)/
const seeAlso = /^\.\.\s+seealso::[ \t]*/
const version = /^(\.\.\s+)(versionadded|versionchanged|deprecated)(::\s+)([^\s,:]+)/
const versions: Readonly<Record<string, string>> = {
  versionadded: 'New in version',
  versionchanged: 'Changed in version',
  deprecated: 'Deprecated since version',
}
/** Become comments. */
const instruction =
  /^(\.\.\s+(?:index|contents|program|currentmodule|highlight|tabularcolumns|default-domain|default-role|sectnum|section-numbering|sectionauthor|moduleauthor|codeauthor|py:currentmodule|testsetup))::(?=\s|$)/
/** Their arguments are instructions, and their contents are shown. */
const wrapper = /^(\.\.\s+)(?:only|tabs|tab-set|grid|hlist)::.*$/
const literal =
  /^\.\.\s+(?:code(?:-block)?|sourcecode|parsed-literal|productionlist|doctest|test\w+|raw|math|graphviz)::/
/** Of a file, for Sphinx alone. */
const settings = /^(?::(?:orphan|nosearch|nocomments|tocdepth):[^\n]{0,20}\n){1,4}/
const toctree = /^\.\.\s+toctree::\s*$/
const option =
  /^((?:-\w|--?[\w][\w-]{0,60}|\/\w)(?:[ =]<?[\w.-]{1,60}>?)?(?:, (?:-\w|--?[\w][\w-]{0,60}|\/\w)(?:[ =]<?[\w.-]{1,60}>?)?){0,5})(?:[ \t]{2,}(\S.*))?$/

interface Line {
  text: string
  isLiteral: boolean
}

/** What the following lines belong to: those that are indented more, or for a doctest all up to a blank line. */
interface Block {
  kind: 'literal' | 'doctest' | 'toctree' | 'option'
  indent: number
  isHidden: boolean
}

export function shownDirectives(given: string): string {
  const rst = given.replace(settings, '')
  const isSphinx = sphinxObject.test(rst)
  const lines = rst.split('\n')
  const shown: Line[] = []
  let block: Block | undefined
  for (const [index, line] of lines.entries()) {
    const content = line.trimStart()
    const indent = line.length - content.length
    const ended: Block | undefined = block && isBehind(block, content, indent) ? block : undefined
    if (ended) block = undefined
    if (content === '') shown.push({ text: line, isLiteral: false })
    else if (block) shown.push(...within(block, line, content))
    else {
      const next = lines[index + 1] ?? ''
      const isStart = index === 0 || lines[index - 1]?.trim() === '' || ended?.kind === 'option'
      block = isStart ? blockOf(content, indent, next) : literalBlock(content, indent)
      shown.push(...first(block, line, content, { isSphinx, next }))
    }
  }
  return joined(shown, sectionTitles(rst))
}

const isBehind = ({ kind, indent }: Block, content: string, given: number): boolean =>
  kind === 'doctest' ? content === '' : content !== '' && given <= indent

function blockOf(content: string, indent: number, next: string): Block | undefined {
  const isOption =
    option.test(withoutReturn(content)) && (/[ \t]{2}/.test(content) || indentOf(next) > indent)
  if (content.startsWith('>>> ')) return { kind: 'doctest', indent, isHidden: false }
  if (isOption) return { kind: 'option', indent, isHidden: false }
  if (toctree.test(content)) return { kind: 'toctree', indent, isHidden: false }
  return literalBlock(content, indent)
}

function literalBlock(content: string, indent: number): Block | undefined {
  const isLiteral = content.startsWith('..') ? literal.test(content) : content.trimEnd().endsWith('::')
  return isLiteral ? { kind: 'literal', indent, isHidden: false } : undefined
}

/** The lines in place of the one that begins a block, or of one in no block. */
function first(
  block: Block | undefined,
  line: string,
  content: string,
  { isSphinx, next }: { isSphinx: boolean; next: string },
): Line[] {
  const pad = line.slice(0, line.length - content.length)
  if (block?.kind === 'toctree') return []
  if (block?.kind === 'doctest') return [`${pad}.. code-block:: python`, '', `    ${line}`].map(literalLine)
  if (block?.kind === 'option') {
    const [, names = '', description] = option.exec(withoutReturn(content)) ?? []
    return [`${pad}\`\`${names}\`\``, ...(description ? [`${pad}   ${description}`] : [])].map(textLine)
  }
  return [textLine(content.startsWith('..') ? pad + directive(content, isSphinx, pad.length, next) : line)]
}

function within(block: Block, line: string, content: string): Line[] {
  const pad = ' '.repeat(block.indent)
  if (block.kind === 'literal') return [literalLine(line)]
  if (block.kind === 'doctest') return [literalLine(`    ${line}`)]
  if (block.kind === 'option') return [textLine(`${pad}   ${content}`)]
  const [, name, value = ''] = /^:(\w+):[ \t]*(.*)$/.exec(withoutReturn(content)) ?? []
  if (name === 'hidden') block.isHidden = true
  if (name === 'caption') return [textLine(`${pad}**${value}**`)]
  if (name !== undefined || block.isHidden) return []
  return [textLine(`${pad}* ${content.replace(/^([^<>]*[^ \t<>])[ \t]*<[^<>]*>[ \t\r]*$/, '$1')}`)]
}

function directive(content: string, isSphinx: boolean, indent: number, next: string): string {
  const body = () =>
    (indentOf(next) > indent ? /^[ \t]*/.exec(next)?.[0] : undefined) ?? ' '.repeat(indent + 3)
  return content
    .replace(domain, (_, start: string, name: string) => start + name.replaceAll(':', '-'))
    .replace(isSphinx ? /^(\.\.\s+)(?=class::\s+\S)/ : classOfCode, '$1py-')
    .replace(instruction, '$1')
    .replace(wrapper, (_, start: string) => `${start}container::${/^\s*(?::\w|$)/.test(next) ? '' : '\n'}`)
    .replace(
      seeAlso,
      (whole) => `.. admonition:: See also${whole === content.trimEnd() ? '' : `\n\n${body()}`}`,
    )
    .replace(version, (_, start: string, name: string, to: string, number: string) => {
      const hasText = /::\s+\S+\s+\S/.test(content) || indentOf(next) > indent
      return `${start}${name}${to}${versions[name]} ${number}${hasText ? ':' : ''}`
    })
    .replace(quote, (_, start: string) => `${start}\n\n${body()}`)
}

const indentOf = (line: string): number => (line.trim() === '' ? 0 : line.length - line.trimStart().length)
/** Not trimmed: bytes of UTF-8 that are spaces in Latin-1 stay. */
const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)
const textLine = (text: string): Line => ({ text, isLiteral: false })
const literalLine = (text: string): Line => ({ text, isLiteral: true })

/** Roles may go on in the next line. */
function joined(lines: readonly Line[], titles: ReadonlyMap<string, string>): string {
  const result: string[] = []
  let text: string[] = []
  const endText = () => {
    if (text.length > 0) result.push(plainRoles(text.join('\n'), titles))
    text = []
  }
  for (const line of lines) {
    if (!line.isLiteral) text.push(line.text)
    else {
      endText()
      result.push(line.text)
    }
  }
  endText()
  return result.join('\n')
}

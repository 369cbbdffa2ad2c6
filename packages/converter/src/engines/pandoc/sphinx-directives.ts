// Pandoc shows the argument of a directive that it does not know, such as the signature in `.. function:: f(x)`, but not
// if Sphinx's domain is part of the name: `.. py:function:: f(x)`. Sphinx's classes have the name of a directive of
// docutils, whose argument is a style, but never in a text that describes other objects of Sphinx. Quotes have no
// argument: what follows their name is their text, which pandoc drops. Literal blocks stay as they are.

const domain = /^(\.\.\s+)((?:[\w+.-]+:)+)(?=[\w+.-]+::\s)/
/** Names of styles are in lower case and have no dots. */
const classOfCode = /^(\.\.\s+)(?=class::\s+[^\s(]*[A-Z.(])/
const sphinxObject =
  /^[ \t]*\.\.[ \t]+(?:py:\w+|(?:current)?module|function|method|(?:class|static)method|attribute|data|exception)::/m
const quote = /^(\.\.\s+(?:epigraph|pull-quote|highlights|compound)::)[ \t]+(?=\S)/
const literal =
  /^\.\.\s+(?:code(?:-block)?|sourcecode|parsed-literal|productionlist|doctest|test\w+|raw|math|graphviz)::/

export function shownDirectives(rst: string): string {
  /** Indent of the line before a literal block. */
  let before = Number.POSITIVE_INFINITY
  const isSphinx = sphinxObject.test(rst)
  return rst
    .split('\n')
    .map((line, index, lines) => {
      const text = line.trimStart()
      const indent = line.length - text.length
      if (text === '' || indent > before) return line
      const isDirective = text.startsWith('..')
      const isLiteral = isDirective ? literal.test(text) : text.trimEnd().endsWith('::')
      before = isLiteral ? indent : Number.POSITIVE_INFINITY
      if (!isDirective) return line
      const named = text
        .replace(domain, (_, start: string, name: string) => start + name.replaceAll(':', '-'))
        .replace(isSphinx ? /^(\.\.\s+)(?=class::\s+\S)/ : classOfCode, '$1py-')
        .replace(quote, (_, start: string) => `${start}\n\n${indentOf(lines[index + 1], indent)}`)
      return line.slice(0, indent) + named
    })
    .join('\n')
}

/** Of the text of a directive: that of the next line if it goes on there. */
function indentOf(next = '', outer: number): string {
  const [given = ''] = /^[ \t]*(?=\S)/.exec(next) ?? []
  return given.length > outer ? given : ' '.repeat(outer + 3)
}

// Pandoc shows the argument of a directive that it does not know, such as the signature in `.. function:: f(x)`, but not
// if Sphinx's domain is part of the name: `.. py:function:: f(x)`. Sphinx's classes have the name of a directive of
// docutils, whose argument is a style. Literal blocks stay as they are.

const domain = /^(\.\.\s+)((?:[\w+.-]+:)+)(?=[\w+.-]+::\s)/
/** Names of styles are in lower case and have no dots. */
const classOfCode = /^(\.\.\s+)(?=class::\s+[^\s(]*[A-Z.(])/
const literal =
  /^\.\.\s+(?:code(?:-block)?|sourcecode|parsed-literal|productionlist|doctest|test\w+|raw|math|graphviz)::/

export function shownDirectives(rst: string): string {
  /** Indent of the line before a literal block. */
  let before = Number.POSITIVE_INFINITY
  return rst
    .split('\n')
    .map((line) => {
      const text = line.trimStart()
      const indent = line.length - text.length
      if (text === '' || indent > before) return line
      const isDirective = text.startsWith('..')
      const isLiteral = isDirective ? literal.test(text) : text.trimEnd().endsWith('::')
      before = isLiteral ? indent : Number.POSITIVE_INFINITY
      if (!isDirective) return line
      const named = text
        .replace(domain, (_, start: string, name: string) => start + name.replaceAll(':', '-'))
        .replace(classOfCode, '$1py-')
      return line.slice(0, indent) + named
    })
    .join('\n')
}

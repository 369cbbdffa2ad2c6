// Front matter in TOML, as Hugo and Zola write it, becomes YAML. Only keys that describe the document are kept; their
// values mean the same in both.

const toml = /^(?:\u00ef\u00bb\u00bf)?\+\+\+[ \t]*\r?\n/
const end = /^\+\+\+[ \t]*\r?$/m
const described = /^(title|subtitle|description|authors?|date|keywords|lang)[ \t]*=[ \t]*(\S.*)$/

export function yamlFrontMatter(markdown: string): string {
  const start = toml.exec(markdown)?.[0]
  const stop = start && end.exec(markdown.slice(start.length))
  if (!start || !stop) return markdown
  const values: string[] = []
  for (const line of markdown.slice(start.length, start.length + stop.index).split(/\r?\n/)) {
    // A table, whose keys describe something else.
    if (line.startsWith('[')) break
    const [, key, value = ''] = described.exec(line) ?? []
    if (key) values.push(`${key.replace('authors', 'author')}: ${value}`)
  }
  const rest = markdown.slice(start.length + stop.index + stop[0].length)
  return values.length > 0 ? `---\n${values.join('\n')}\n---${rest}` : rest
}

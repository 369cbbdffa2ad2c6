// Reads Gherkin: scenarios with steps, each with a table or a text below it. Comments and tags of steps do not matter.

export interface Step {
  text: string
  table: string[][]
  doc: string | undefined
}

export interface Scenario {
  feature: string
  name: string
  tags: string[]
  steps: Step[]
}

export function readFeature(feature: string, source: string): Scenario[] {
  const scenarios: Scenario[] = []
  const lines = source.split('\n')
  let tags: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').trim()
    const step = scenarios.at(-1)?.steps.at(-1)
    if (line === '' || line.startsWith('#')) continue
    if (line.startsWith('@')) tags.push(...line.split(/\s+/))
    else if (line.startsWith('Feature:')) tags = []
    else if (line.startsWith('Scenario:')) {
      scenarios.push({ feature, name: line.slice('Scenario:'.length).trim(), tags, steps: [] })
      tags = []
    } else if (line.startsWith('|')) step?.table.push(cellsOf(line))
    else if (line === '"""') {
      const indent = (lines[at] ?? '').indexOf('"""')
      const end = lines.findIndex((each, index) => index > at && each.trim() === '"""')
      const text = lines.slice(at + 1, end).map((each) => each.slice(Math.min(indent, each.search(/\S|$/))))
      if (step) step.doc = text.join('\n')
      at = end
    } else {
      const text = line.replace(/^(Given|When|Then|And|But) /, '')
      scenarios.at(-1)?.steps.push({ text, table: [], doc: undefined })
    }
  }
  return scenarios
}

/** `\\n` is a backslash and an n, `\|` a bar. */
const cellsOf = (line: string): string[] =>
  line
    .slice(1, line.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('\\\\', '\\'))

import { type Option, optionsOf, type Pair } from '@kiln/converter/catalog'
import { escapeHtml, escapeWithCode, table } from './html.ts'

// Every pair with its options. Pairs that take the same options share a table.

interface Group {
  pairs: Pair[]
  options: readonly Option[]
}

export function optionGroups(pairs: readonly Pair[]): string {
  const groups = groupByOptions(pairs).map(({ pairs: members, options }) => {
    const slugs = members.map(
      ({ slug }) => `<code data-pair="${escapeHtml(slug)}">${escapeHtml(slug)}</code>`,
    )
    const title = options.map(({ name }) => name).join(', ') || 'No options'
    return `<details class="group"><summary><span>${slugs.join(' ')}</span><span class="muted">${escapeHtml(title)}</span></summary>${optionTable(options)}</details>`
  })
  return `
<p>A submit takes options as <code>"options": {"name": value}</code>. Pairs with the same options are listed together. <code>GET /v1/formats/{pair}</code> returns the options of a pair as a JSON Schema.</p>
<div class="find" hidden><label for="find-pair">Find a pair</label> <input id="find-pair" type="search" placeholder="docx pdf" autocomplete="off" spellcheck="false"></div>
<div id="groups">${groups.join('\n')}</div>
<p id="no-group" class="empty" hidden>No pair has this name.</p>`
}

function groupByOptions(pairs: readonly Pair[]): Group[] {
  const groups = new Map<string, Group>()
  const numbers = new Map<Option, number>()
  for (const pair of pairs) {
    const options = optionsOf(pair)
    for (const option of options) if (!numbers.has(option)) numbers.set(option, numbers.size)
    const key = options.map((option) => numbers.get(option)).join()
    const group = groups.get(key) ?? { pairs: [], options }
    group.pairs.push(pair)
    groups.set(key, group)
  }
  return [...groups.values()]
}

function optionTable(options: readonly Option[]): string {
  if (options.length === 0) return '<p>These pairs take no options.</p>'
  const rows = options.map(({ name, label, description, default: fallback, expected, example, isSecret }) => {
    const shown = isSecret ? '…' : example
    return `<tr><th scope="row"><code>${escapeHtml(name)}</code><br><span class="muted">${escapeHtml(label)}</span></th><td>${escapeWithCode(description)}<br><span class="muted">Value: ${escapeWithCode(expected)}.</span></td><td>${escapeWithCode(fallback)}</td><td><code>${escapeHtml(JSON.stringify({ [name]: shown }))}</code></td></tr>`
  })
  return table('Options', ['Option', 'Effect', 'Default', 'Example'], rows)
}

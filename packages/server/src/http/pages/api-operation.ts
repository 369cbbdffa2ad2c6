import { type Option, optionsOf, type Pair } from '@kiln/converter/catalog'
import type { Operation } from '../complete-description.ts'
import type { ApiDocument } from './api-page.ts'
import { codeBlock, escapeHtml, escapeWithCode, table } from './html.ts'

// One operation of the OpenAPI document as HTML.

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
}

export function operationSection(
  document: ApiDocument,
  method: string,
  path: string,
  operation: Operation,
): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const fields = parameters.map(({ name, in: place, description: text = '', required, schema }) =>
    row(name, `${place}${required ? ', required' : ''}, ${typeName(schema as Schema)}`, text),
  )
  const statuses = Object.entries(responses).map(([status, response]) => {
    const headers = Object.keys(response.headers ?? {}).map((name) => `<code>${escapeHtml(name)}</code>`)
    return `<tr><th scope="row">${escapeHtml(status)}</th><td>${escapeWithCode(response.description ?? '')}</td><td>${headers.join(' ')}</td></tr>`
  })
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  return `<article class="operation" id="${escapeHtml(operationId)}">
<h3><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p>${escapeWithCode(summary)}.${operation.security?.length === 0 ? ' Needs no key.' : ''}</p>
${description ? `<p class="muted">${escapeWithCode(description)}</p>` : ''}
${table(`Parameters of ${operationId}`, ['Parameter', 'Type', 'Meaning'], fields)}
${body(document, 'Request body', operationId, requestBody)}
${body(document, 'Response body', operationId, success)}
<details><summary>Responses</summary>${table(`Responses of ${operationId}`, ['Status', 'Meaning or codes', 'Headers'], statuses)}</details>
</article>`
}

function body(
  document: ApiDocument,
  title: string,
  operationId: string,
  message: Operation['requestBody'],
): string {
  const media = message?.content?.['application/json']
  if (!media) return message?.content ? `<p>${title}: ${escapeWithCode(message.description ?? '')}</p>` : ''
  const schema = resolve(document, media.schema as Schema)
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const type = `${typeName(field)}${schema.required?.includes(name) ? '' : ', optional'}`
    return row(name, type, field.description ?? '')
  })
  const example = JSON.stringify(media.example, null, 2)
  const label = `${title} of ${operationId}`
  return `<details><summary>${title}</summary>${table(label, ['Field', 'Type', 'Meaning'], fields)}
${codeBlock(example, `Example: ${label}`)}</details>`
}

const row = (name: string, type: string, meaning: string): string =>
  `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td class="muted">${escapeHtml(type)}</td><td>${escapeWithCode(meaning)}</td></tr>`

const resolve = ({ components }: ApiDocument, schema: Schema): Schema =>
  schema.$ref ? (components.schemas[schema.$ref.split('/').at(-1) ?? ''] as Schema) : schema

function typeName(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.enum) return schema.enum.join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' | ')
  if (schema.items) return `list of ${typeName(schema.items)}`
  return [schema.type ?? 'any'].flat().join(' | ')
}

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

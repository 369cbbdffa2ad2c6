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

import {
  type Advice,
  adviceOnCode,
  adviceOnFailure,
  errorCodes,
  failureWords,
  statusOfCode,
} from '@kiln/contract'
import type { Pair } from '@kiln/converter/catalog'
import type { Operation } from '../complete-description.ts'
import { conversionSteps, languages } from './api-code.ts'
import { operationSection, optionGroups } from './api-operation.ts'
import { codeBlock, escapeHtml, escapeWithCode, table } from './html.ts'

// The API reference: steps with code, a form to try them, operations, options of each pair, errors. Everything is
// generated from the tables that the API uses. Without JavaScript everything except the form works.

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
}

export interface ApiPageParts {
  document: ApiDocument
  pairs: readonly Pair[]
  publicUrl: string
  prefix: string
}

const sections: readonly { id: string; title: string; body: (parts: ApiPageParts) => string }[] = [
  { id: 'steps', title: 'Three steps', body: steps },
  { id: 'try', title: 'Try it', body: tryForm },
  { id: 'operations', title: 'Operations', body: ({ document }) => operations(document, document.paths) },
  { id: 'webhooks', title: 'Webhooks', body: ({ document }) => operations(document, document.webhooks) },
  { id: 'options', title: 'Pairs and options', body: ({ pairs }) => optionGroups(pairs) },
  { id: 'errors', title: 'Errors', body: errors },
]

export function apiBody(parts: ApiPageParts): string {
  const { publicUrl, prefix } = parts
  const links = sections.map(({ id, title }) => `<a href="#${id}">${title}</a>`).join('')
  return `
<div class="wide api">
<div class="intro">
<h1>API reference</h1>
<p class="lead">Send a file, get it back in another format. The base address is <code>${escapeHtml(publicUrl + prefix)}</code>.</p>
<p>Programs read <a href="${escapeHtml(prefix)}/openapi.json">the OpenAPI document</a>.</p>
</div>
<nav class="contents" aria-label="On this page">${links}</nav>
<div class="sections">
${sections.map(({ id, title, body }) => `<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${body(parts)}</section>`).join('\n')}
</div>
</div>`
}

function steps(parts: ApiPageParts): string {
  const choices = languages.map(
    ({ id, label }, index) =>
      `<label><input type="radio" name="language" value="${id}"${index === 0 ? ' checked' : ''}> ${label}</label>`,
  )
  const items = conversionSteps(parts).map(({ title, text, code }) => {
    const blocks = languages.map(
      ({ id, label }, index) =>
        `<div data-language="${id}">${codeBlock(code[index] ?? '', `${title}, ${label}`)}</div>`,
    )
    return `<li><h3>${title}</h3><p>${escapeWithCode(text)}</p>${blocks.join('')}</li>`
  })
  const installs = languages.map(({ id, install }) =>
    install ? `<p data-language="${id}">Install the client first: <code>${install}</code></p>` : '',
  )
  return `
<p>The operator of this service gives you an API key. Keep it on your server. Here it is in the environment variable <code>KEY</code>.</p>
<fieldset class="languages"><legend class="hidden-text">Language</legend>${choices.join('')}</fieldset>
${installs.join('')}
<ol class="steps">${items.join('\n')}</ol>`
}

function tryForm({ pairs, publicUrl, prefix }: ApiPageParts): string {
  const options = pairs.map(
    ({ slug, label }) =>
      `<option value="${escapeHtml(slug)}"${slug === 'md-to-html' ? ' selected' : ''}>${escapeHtml(label)}</option>`,
  )
  return `
<p>This form makes the requests of the three steps. The key stays in the memory of this page; nothing stores it.</p>
<noscript><p class="notice">The form needs JavaScript.</p></noscript>
<form id="try-form" data-base="${escapeHtml(prefix)}" data-public-url="${escapeHtml(publicUrl)}" autocomplete="off">
<label>API key <input name="key" type="password" required autocomplete="off" spellcheck="false" placeholder="kiln_live_…"></label>
<label>Conversion <select name="pair">${options.join('')}</select></label>
<label>File <input name="file" type="file"></label>
<p class="muted" id="sample">Without a file, a short Markdown text is sent.</p>
<div class="full"><label for="try-options">Options, as JSON</label><textarea id="try-options" name="options" rows="4" spellcheck="false">{}</textarea>
<div id="option-buttons" class="chips" role="group" aria-label="Add an option"></div></div>
<p class="full"><button class="button" type="submit">Convert</button></p>
</form>
<ol id="exchange" class="exchange" aria-live="polite"></ol>`
}

function operations(document: ApiDocument, paths: ApiDocument['paths']): string {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => 'responses' in operation)
        .map(([method, operation]) => operationSection(document, method, path, operation)),
    )
    .join('\n')
}

function errors(): string {
  const row = (name: string, status: string, { meaning, advice }: Advice) =>
    `<tr><th scope="row"><code>${name}</code></th>${status}<td>${escapeWithCode(meaning)}</td><td>${escapeWithCode(advice)}</td></tr>`
  const meaning = ['Meaning', 'What to do']
  const codes = errorCodes.map((code) => row(code, `<td>${statusOfCode[code]}</td>`, adviceOnCode[code]))
  const words = failureWords.map((word) => row(word, '', adviceOnFailure[word]))
  return `
<p>Every error response is <code>{"error": "A message for people.", "code": "…"}</code>. Branch on <code>code</code>. The header <code>Request-Id</code> identifies the request in the log of the service.</p>
<h3>Error responses</h3>
${table('Error responses', ['Code', 'Status', ...meaning], codes)}
<h3>Failed jobs</h3>
<p>The <code>error</code> of a failed job starts with one of these words and a colon. A failed job costs nothing.</p>
${table('Failed jobs', ['Word', ...meaning], words)}`
}

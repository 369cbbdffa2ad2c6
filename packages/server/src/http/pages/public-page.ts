import type { ConversionPair } from '@kiln/contract'
import { conversionSteps } from './api-code.ts'
import { codeBlock, escapeHtml, escapeWithCode } from './html.ts'

// The page at `/developers`: the pairs of this service, and how to call it. It is complete without JavaScript: it
// contains the table, and the search is a form that this server answers. The script only makes the search quicker and
// adds the copy buttons.

export interface PublicPageParts {
  pairs: readonly ConversionPair[]
  publicUrl: string
  prefix: string
  freeJobsPerMonth: number
  outputTtlSeconds: number
}

export function publicBody(parts: PublicPageParts, query: string): string {
  const { pairs, publicUrl, prefix } = parts
  const base = escapeHtml(publicUrl + prefix)
  const formats = new Set(pairs.flatMap(({ from, to }) => [from, to]))
  return `
<section class="hero wide">
<h1>Files in. The format you need out.</h1>
<p class="lead">Send a file over HTTP and fetch it back in another format. Office documents, PDF, Markdown and other text, video.</p>
<ul class="facts">
<li><strong>${pairs.length}</strong> conversions between ${formats.size} formats</li>
<li><strong>${parts.freeJobsPerMonth}</strong> free a month; one that fails costs nothing</li>
<li>Inputs deleted when a job ends, outputs after <strong>${period(parts.outputTtlSeconds)}</strong></li>
</ul>
<p class="actions"><a class="button" href="#start">Quick start</a><a class="button quiet" href="${escapeHtml(prefix)}/docs">API reference</a></p>
</section>

<section id="start" class="wide" aria-labelledby="start-title">
<h2 id="start-title">Quick start</h2>
<p>Submit, upload, download. The base address is <code>${base}</code>; the operator of this service gives you an API key.</p>
<ol class="steps">
${steps(parts)
  .map(
    ({ title, text, code }) =>
      `<li><h3>${title}</h3><p>${escapeWithCode(text)}</p>${codeBlock(code, title)}</li>`,
  )
  .join('\n')}
</ol>
</section>

<section id="formats" class="wide" aria-labelledby="formats-title">
<h2 id="formats-title">What it converts</h2>
${formatsTable(pairs, query)}
</section>`
}

function steps(parts: PublicPageParts): { title: string; text: string; code: string }[] {
  return [
    {
      title: 'Your key',
      text: 'Keep it on your server; it never belongs in a browser.',
      code: 'KEY=kiln_live_…',
    },
    ...conversionSteps(parts).map(({ title, text, code: [curl = ''] }) => ({ title, text, code: curl })),
  ]
}

function formatsTable(pairs: readonly ConversionPair[], query: string): string {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const isWanted = (text: string) => words.every((word) => text.includes(word))
  const rows = pairs.map((pair) => ({ pair, text: searchText(pair) }))
  const shown = rows.filter(({ text }) => isWanted(text)).length
  return `
<form class="search" role="search" action="/developers#formats" method="get">
<label for="q">Search formats</label>
<input id="q" name="q" type="search" value="${escapeHtml(query)}" placeholder="docx, pdf, markdown …" autocomplete="off" spellcheck="false">
<button class="button quiet" type="submit">Search</button>
<p id="count" class="muted" role="status">${countSentence(shown, pairs.length)}</p>
</form>
<div class="scroll" tabindex="0" role="region" aria-labelledby="formats-title">
<table id="pairs">
<thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col">Pair</th><th scope="col" class="number">Largest file</th><th scope="col" class="number">Credits</th></tr></thead>
<tbody>
${rows
  .map(({ pair, text }) => {
    const [from, to] = pair.label.split(' to ') as [string, string]
    return `<tr data-text="${escapeHtml(text)}"${isWanted(text) ? '' : ' hidden'}><td>${escapeHtml(from)}</td><td>${escapeHtml(to)}</td><td><code>${escapeHtml(pair.pair)}</code></td><td class="number">${pair.freeMaxMB} MB</td><td class="number">${pair.costCredits}</td></tr>`
  })
  .join('\n')}
</tbody>
</table>
</div>
<p id="none" class="empty"${shown === 0 ? '' : ' hidden'}>No format has this name. Pictures, audio and archives are left to the browser.</p>`
}

const searchText = (pair: ConversionPair) => `${pair.pair} ${pair.label}`.toLowerCase()

const countSentence = (shown: number, all: number): string =>
  shown === all ? `${all} conversions` : `${shown} of ${all} conversions`

function period(seconds: number): string {
  const [amount, unit] =
    seconds % 3600 === 0
      ? [seconds / 3600, 'hour']
      : seconds % 60 === 0
        ? [seconds / 60, 'minute']
        : [seconds, 'second']
  return amount === 1 ? `one ${unit}` : `${amount} ${unit}s`
}

// The page at `/status`, for people: can the service accept files now? Programs use /readyz.

export interface LaneStatus {
  lane: string
  /** Worker slots over all processes. */
  slots: number
  oldestSeconds: number
}

export interface Status {
  faults: readonly string[]
  /** Null when the database is unavailable. */
  lanes: readonly LaneStatus[] | null
}

const names: Readonly<Record<string, string>> = {
  office: 'Office documents',
  document: 'Documents and pages',
  pdf: 'PDF to Word, Markdown, HTML, tables',
  video: 'Video',
}
const longWaitSeconds = 60

export function statusBody({ faults, lanes }: Status): string {
  const rows = (lanes ?? []).map((lane) => ({ name: names[lane.lane] ?? lane.lane, ...laneState(lane) }))
  const troubled = rows.some(({ state }) => state !== 'good')
  const [state, headline] =
    faults.length > 0
      ? ['bad', 'The service cannot take files just now']
      : troubled
        ? ['warn', 'Files are taken; some conversions take longer']
        : ['good', 'Everything works']
  return `
<section class="wide status-page">
<h1 class="state ${state}"><span class="dot" aria-hidden="true"></span>${headline}</h1>
${faults.map((fault) => `<p class="notice bad">${escapeHtml(fault)}</p>`).join('\n')}
${
  rows.length > 0
    ? `<h2>Conversions</h2><ul class="states">${rows
        .map(
          (row) =>
            `<li><span>${escapeHtml(row.name)}</span><span class="state ${row.state}"><span class="dot" aria-hidden="true"></span>${escapeHtml(row.text)}</span></li>`,
        )
        .join('\n')}</ul>`
    : ''
}
<p class="muted">As of ${new Date().toISOString().slice(0, 19).replace('T', ' ')} UTC. For machines: <a href="/readyz"><code>/readyz</code></a> and <a href="/healthz"><code>/healthz</code></a>.</p>
</section>`
}

function laneState({ slots, oldestSeconds }: LaneStatus): { state: 'good' | 'warn'; text: string } {
  if (slots === 0) return { state: 'warn', text: 'No worker just now; files wait' }
  if (oldestSeconds < longWaitSeconds) return { state: 'good', text: 'Ready' }
  return { state: 'warn', text: `Busy; files wait about ${Math.round(oldestSeconds / 60)} min` }
}

import { escapeHtml } from './html.ts'

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

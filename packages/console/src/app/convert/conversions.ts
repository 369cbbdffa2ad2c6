import type { Report } from '@kiln/contract'
import type { WebApp } from '../../../../server/src/web/index.ts'
import { CallFailed, call, put, send } from '../../shared/api.ts'
import type { Answer } from '../../shared/types.ts'
import { createSemaphore, retryDelayAfter, untilOnline } from './backoff.ts'
import type { Catalog } from './catalog.ts'
import { convertInBrowser } from './in-browser.ts'
import { baseName, type Item, isActive, isMergeable } from './item.ts'
import { reportSentence } from './report-sentence.ts'
import { forgetJob, onSavedElsewhere, type SavedJob, savedJobs, saveJob } from './saved-jobs.ts'

// The files of the front page and what happens to them. An upload that breaks off is repeated with the same
// idempotency key, so that it stays one job with one charge. Jobs are polled together, in one request.

type Look = Answer<WebApp['conversions']['look']>

const uploadsAtOnce = 3
const pollMilliseconds = 700
const hiddenPollMilliseconds = 5000
/** Another tab may finish the upload of a lost file. */
const polledStates: ReadonlySet<Item['state']> = new Set(['queued', 'processing', 'lost-file'])

export function createConversions(catalog: Catalog, user: string) {
  let items: Item[] = []
  const listeners = new Set<() => void>()
  const aborts = new Map<string, AbortController>()
  const uploads = createSemaphore(uploadsAtOnce)
  let pollTimer = 0
  let isStopped = false

  const changed = () => {
    for (const listener of listeners) listener()
  }
  const update = (item: Item, changes: Partial<Item>) => {
    Object.assign(item, changes)
    changed()
  }
  const isListed = (item: Item) => items.includes(item)

  // Uploads.

  const submit = async (item: Item, signal: AbortSignal) => {
    const { file, target, key, options } = item
    if (!file || !target?.pair) throw new Error('The file is no longer there. Choose it again.')
    update(item, { state: 'submitting', progress: null, note: null, error: null })
    const request = { pair: target.pair.slug, bytes: file.size, options, key }
    const { jobId, uploadUrl } = await send<{ jobId: string; uploadUrl: string }>('/jobs', request)
    update(item, { jobId, state: 'uploading', progress: 0 })
    save(item)
    await put(uploadUrl, file, { signal, onProgress: (progress) => update(item, { progress }) })
    update(item, { state: 'queued', progress: null })
    poll(0)
  }

  const run = async (item: Item): Promise<void> => {
    const abort = new AbortController()
    aborts.set(item.key, abort)
    for (let attempt = 0; isListed(item) && !isStopped; attempt++) {
      try {
        await submit(item, abort.signal)
        return
      } catch (failure) {
        if (!isListed(item)) return
        const delay = retryDelayAfter(failure, attempt)
        if (delay === null) {
          update(item, { state: 'failed', error: (failure as Error).message, progress: null })
          return
        }
        update(item, { state: 'waiting', note: delay.note, progress: null })
        await untilOnline(delay.milliseconds)
      }
    }
  }

  const runInBrowser = async (item: Item, files: File[], to: string): Promise<void> => {
    const abort = new AbortController()
    aborts.set(item.key, abort)
    update(item, { state: 'processing', progress: null, error: null })
    try {
      const onProgress = (progress: number) => update(item, { progress })
      const blob = await convertInBrowser(files, to, item.options, { signal: abort.signal, onProgress })
      if (!isListed(item)) return
      const downloadUrl = URL.createObjectURL(blob)
      const summary = 'The file stayed on your computer.'
      update(item, { state: 'done', blob, downloadUrl, summary, progress: null })
    } catch (failure) {
      if (isListed(item)) update(item, { state: 'failed', error: (failure as Error).message, progress: null })
    }
  }

  const start = (item: Item) => {
    if (!item.target || !item.file) return
    const files = item.parts.length > 0 ? item.parts : [item.file]
    if (!item.target.pair) return void runInBrowser(item, files, item.target.to)
    update(item, { state: 'submitting', progress: null, error: null })
    void uploads(() => run(item))
  }

  // Polling.

  const poll = (milliseconds: number) => {
    clearTimeout(pollTimer)
    if (!isStopped) pollTimer = window.setTimeout(pollOnce, milliseconds)
  }
  const pollOnce = async () => {
    const open = items.filter(({ jobId, state }) => jobId !== null && polledStates.has(state))
    if (open.length === 0) return
    const before = performance.now()
    try {
      await look(open)
    } catch (failure) {
      // Without a connection the jobs continue; the page polls again.
      if (failure instanceof CallFailed && failure.status === 401) return
      await untilOnline(Math.min(15_000, 2000 + (performance.now() - before)))
    }
    poll(document.hidden ? hiddenPollMilliseconds : pollMilliseconds)
  }
  const look = async (open: readonly Item[]) => {
    const names = Object.fromEntries(
      open.map(({ jobId, name }) => [jobId as string, baseName(name).split('/').at(-1)]),
    )
    const { jobs } = await send<{ jobs: Look }>('/jobs/look', { names })
    for (const item of open) {
      const job = jobs.find(({ jobId }) => jobId === item.jobId)
      if (job) show(item, job)
      else update(item, { state: 'failed', error: 'This job is no longer known to the service.' })
    }
  }
  const show = (item: Item, job: Look[number]) => {
    const { status, error, progress, downloadUrl, extension, expiresAt, ahead, aheadIsCapped } = job
    // This tab has the file and is uploading it; the server does not report that.
    if (status === 'queued' && !job.uploaded) {
      if (item.file === null) update(item, { state: 'lost-file' })
      return
    }
    update(item, { state: status, error, progress, downloadUrl, extension, expiresAt, ahead, aheadIsCapped })
    if (status === 'done') void summarize(item)
  }
  const summarize = async (item: Item) => {
    // A result without its summary is still a result.
    const report = await call<Report>(`/jobs/${item.jobId}/report`).catch(() => null)
    if (report) update(item, { summary: reportSentence(report), warnings: report.warnings })
  }

  // Jobs of an earlier visit, or of another tab.

  const save = (item: Item) => {
    const { key, jobId, name, size, from, target, options } = item
    if (!jobId || !from || !target) return
    const hasSecret = 'password' in options
    const saved = { key, jobId, name, size, from, to: target.to, user, savedAt: Date.now() }
    saveJob({ ...saved, options: hasSecret ? null : options })
  }
  const restore = () => {
    const known = new Set(items.map(({ key }) => key))
    const found = savedJobs(user).filter(({ key }) => !known.has(key))
    if (found.length === 0) return
    const restored = found.map((job) => itemOfSaved(job, catalog))
    items = [...restored, ...items]
    changed()
    poll(0)
  }
  const stopListening = onSavedElsewhere(restore)
  restore()

  return {
    items: (): readonly Item[] => items,
    onChange(callback: () => void) {
      listeners.add(callback)
      return () => listeners.delete(callback)
    },
    add(files: readonly { file: File; name: string }[]): void {
      for (const { file, name } of files) {
        const lost = items.find(
          (item) => item.state === 'lost-file' && item.name === name && item.size === file.size,
        )
        if (lost) {
          lost.file = file
          start(lost)
        } else items = [...items, newItem(file, name, catalog)]
      }
      changed()
    },
    change: (item: Item, changes: Partial<Pick<Item, 'target' | 'options'>>) => update(item, changes),
    convert(chosen: readonly Item[]): void {
      for (const item of chosen) if (item.state === 'ready') start(item)
    },
    /** Swaps it with the PDF before it: PDFs are merged in the order of the list. */
    moveUp(item: Item): void {
      const before = items.slice(0, items.indexOf(item)).findLast(isMergeable)
      if (!before) return
      items = items.map((each) => (each === item ? before : each === before ? item : each))
      changed()
    },
    /** Replaces the PDFs by one with all their pages, in the order of the list. */
    merge(chosen: readonly Item[]): void {
      const parts = chosen.flatMap(({ file }) => file ?? [])
      const [first] = parts
      if (!first) return
      const merged = newItem(first, 'merged.pdf', catalog)
      const target = merged.targets.find(({ to, pair }) => to === 'pdf' && pair === null) ?? null
      const size = parts.reduce((sum, part) => sum + part.size, 0)
      Object.assign(merged, { parts, target, size })
      items = [...items.filter((item) => !chosen.includes(item)), merged]
      start(merged)
      changed()
    },
    /** Converts a failed file again. */
    retry(item: Item): void {
      forgetJob(item.key)
      const fresh = { ...item, key: newKey(), jobId: null, state: 'ready' as const, error: null, note: null }
      items = items.map((each) => (each === item ? fresh : each))
      changed()
      if (fresh.file) start(fresh)
    },
    remove(item: Item): void {
      items = items.filter((each) => each !== item)
      aborts.get(item.key)?.abort()
      forgetJob(item.key)
      if (item.blob && item.downloadUrl) URL.revokeObjectURL(item.downloadUrl)
      // An active job is cancelled and refunded; an output is deleted.
      if (item.jobId && (isActive(item) || item.state === 'lost-file'))
        // If it fails, the job expires like any other.
        send(`/jobs/${item.jobId}/remove`).catch(() => {})
      changed()
    },
    stop(): void {
      isStopped = true
      clearTimeout(pollTimer)
      stopListening()
    },
  }
}

export type Conversions = ReturnType<typeof createConversions>

/** Also on pages without https, where crypto.randomUUID is missing. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

const blank = {
  parts: [],
  options: {},
  progress: null,
  ahead: null,
  aheadIsCapped: false,
  jobId: null,
  downloadUrl: null,
  extension: null,
  blob: null,
  expiresAt: null,
  error: null,
  note: null,
  summary: null,
  warnings: [],
} satisfies Partial<Item>

function newItem(file: File, name: string, catalog: Catalog): Item {
  const from = catalog.formatOf(name)
  const targets = catalog.targetsOf(from)
  const target = targets[0] ?? null
  return { ...blank, key: newKey(), name, size: file.size, file, from, targets, target, state: 'ready' }
}

function itemOfSaved(job: SavedJob, catalog: Catalog): Item {
  const { key, jobId, name, size, from, to, options } = job
  const targets = catalog.targetsOf(from)
  const target = targets.find((each) => each.to === to) ?? null
  const restored = { key, jobId, name, size, from, targets, target, options: options ?? {} }
  return { ...blank, ...restored, file: null, state: 'queued' }
}

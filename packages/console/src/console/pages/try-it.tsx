import { useRef, useState } from 'preact/hooks'
import { formatOfName } from '../../../../client/src/formats.ts'
import { call, put, send } from '../../shared/api.ts'
import * as format from '../../shared/format.ts'
import { Badge } from '../../shared/parts/badge.tsx'
import { Card, Empty, Progress } from '../../shared/parts/card.tsx'
import { OptionsForm, type OptionValues } from '../../shared/parts/options-form.tsx'
import { Link } from '../router.tsx'
import type { Pair, TriedJob } from '../types.ts'

interface Tried {
  name: string
  pair: string
  jobId: string | null
  step: 'uploading' | 'queued' | 'processing' | 'done' | 'failed'
  progress: number | null
  error: string | null
  downloadUrl: string | null
}

const lookEveryMilliseconds = 400

export function TryPage({ pairs }: { pairs: Pair[] }) {
  const [file, setFile] = useState<File | null>(null)
  const [slug, setSlug] = useState('')
  const [options, setOptions] = useState<OptionValues>({})
  const [tried, setTried] = useState<Tried[]>([])
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)

  // Another pair has other options.
  const chooseSlug = (chosen: string) => {
    setSlug(chosen)
    if (chosen !== slug) setOptions({})
  }
  const fitting = file ? pairs.filter(({ from }) => from === formatOfName(file.name)) : []
  const pair = pairs.find((each) => each.slug === slug)
  const choose = (chosen: File | undefined) => {
    if (!chosen) return
    setFile(chosen)
    chooseSlug(pairs.find(({ from }) => from === formatOfName(chosen.name))?.slug ?? '')
  }

  const convert = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!file || !pair) return
    const number = tried.length
    const change = (changes: Partial<Tried>) =>
      setTried((all) => all.map((each, index) => (index === number ? { ...each, ...changes } : each)))
    setTried((all) => [
      ...all,
      {
        ...{ name: file.name, pair: pair.slug, jobId: null, step: 'uploading', progress: 0 },
        error: null,
        downloadUrl: null,
      },
    ])
    try {
      const { jobId } = await send<{ jobId: string }>('/try', { pair: pair.slug, bytes: file.size, options })
      change({ jobId })
      await put(`/console/api/try/${jobId}/file`, file, { onProgress: (progress) => change({ progress }) })
      await follow(jobId, change)
    } catch (failure) {
      change({ step: 'failed', error: (failure as Error).message, progress: null })
    }
  }

  return (
    <>
      <header class="page-head">
        <h1>Try it</h1>
      </header>
      <div class="grid">
        <Card title="Convert a file">
          <form class="stack" onSubmit={convert}>
            <label
              class={`drop ${isOver ? 'over' : ''}`}
              onDragOver={(event) => {
                event.preventDefault()
                setOver(true)
              }}
              onDragLeave={() => setOver(false)}
              onDrop={(event) => {
                event.preventDefault()
                setOver(false)
                choose(event.dataTransfer?.files[0])
              }}
            >
              <input
                ref={input}
                type="file"
                name="file"
                onChange={(event) => choose(event.currentTarget.files?.[0])}
              />
              {file ? (
                <span>
                  <strong>{file.name}</strong> <span class="muted">{format.bytes(file.size)}</span>
                </span>
              ) : (
                <span class="muted">Drop a file here, or choose one</span>
              )}
            </label>
            <label>
              Convert to
              <select value={slug} onChange={(event) => chooseSlug(event.currentTarget.value)} required>
                <option value="">Choose a pair</option>
                {(fitting.length > 0 ? fitting : pairs).map((each) => (
                  <option key={each.slug} value={each.slug}>
                    {each.label}
                  </option>
                ))}
              </select>
            </label>
            {pair ? (
              <details key={pair.slug}>
                <summary>Options</summary>
                <OptionsForm pair={pair.slug} values={options} onChange={setOptions} />
              </details>
            ) : null}
            {pair && file && file.size > pair.maxBytes ? (
              <p class="notice warn">
                {pair.label} takes at most {format.bytes(pair.maxBytes)}.
              </p>
            ) : null}
            <div>
              <button type="submit" class="button" disabled={!file || !pair}>
                Convert
              </button>
            </div>
            <p class="muted small">
              It goes the way of every job: through the queue, the sandbox and the checks, charged to an
              account of your own. No API key is used here.
            </p>
          </form>
        </Card>
        <Card title="This session" class="tall">
          {tried.length === 0 ? <Empty>What you convert appears here.</Empty> : null}
          <ul class="tried">
            {[...tried].reverse().map((each, index) => (
              <TriedItem key={tried.length - index} tried={each} />
            ))}
          </ul>
        </Card>
      </div>
    </>
  )
}

const words = {
  uploading: ['info', 'uploading'],
  queued: ['plain', 'queued'],
  processing: ['info', 'processing'],
  done: ['good', 'done'],
  failed: ['bad', 'failed'],
} as const

function TriedItem({ tried }: { tried: Tried }) {
  const [tone, word] = words[tried.step]
  const runs = tried.step !== 'done' && tried.step !== 'failed'
  return (
    <li>
      <div class="tried-head">
        <strong>{tried.name}</strong>
        <Badge tone={tone} text={word} />
      </div>
      <p class="muted small">
        {tried.pair}
        {tried.jobId ? (
          <>
            {', job '}
            <Link to={`/jobs/${tried.jobId}`} class="mono">
              {format.shortId(tried.jobId)}
            </Link>
          </>
        ) : null}
      </p>
      {runs ? <Progress value={tried.progress} label={`${tried.name}: ${word}`} /> : null}
      {tried.error ? <p class="notice bad">{tried.error}</p> : null}
      {tried.downloadUrl ? (
        <p>
          <a class="button small" href={tried.downloadUrl} download>
            Download
          </a>
        </p>
      ) : null}
    </li>
  )
}

async function follow(jobId: string, change: (changes: Partial<Tried>) => void): Promise<void> {
  for (;;) {
    const job = await call<TriedJob>(`/try/${jobId}`)
    change({ step: job.status, progress: job.progress, error: job.error, downloadUrl: job.downloadUrl })
    if (job.status === 'done' || job.status === 'failed') return
    await new Promise((resolve) => setTimeout(resolve, lookEveryMilliseconds))
  }
}

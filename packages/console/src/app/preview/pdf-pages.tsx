import { useEffect, useRef, useState } from 'preact/hooks'
import * as format from '../../shared/format.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Fault } from '../../shared/parts/card.tsx'
import { ScrollArea } from '../../shared/parts/table.tsx'
import type { PdfReply, PdfRequest } from './pdf-worker.ts'

// The pages of a PDF, drawn by PDFium in a worker. A few pages are drawn at first, more on demand.

const pagesAtOnce = 4

interface Source {
  url: string
  blob: Blob | null
}

export function PdfPages({ url, blob }: Source) {
  const [shown, setShown] = useState(pagesAtOnce)
  const { pages, count, fault } = usePages({ url, blob }, shown)
  if (fault) return <Fault text={fault} />
  if (count === null) return <p class="muted small">Loading the preview…</p>
  return (
    <>
      <ScrollArea class="preview-pages" label={`Preview of ${format.plural(count, 'page')}`}>
        {pages.map((page, index) => (
          <PageCanvas key={page} page={page} label={`Page ${index + 1} of ${count}`} />
        ))}
      </ScrollArea>
      {pages.length < count ? (
        <p class="more">
          <Button kind="quiet small" text="More pages" onClick={() => setShown(shown + pagesAtOnce)} />
        </p>
      ) : null}
    </>
  )
}

function PageCanvas({ page, label }: { page: ImageData; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => canvas.current?.getContext('2d')?.putImageData(page, 0, 0), [page])
  return <canvas ref={canvas} width={page.width} height={page.height} role="img" aria-label={label} />
}

function usePages({ url, blob }: Source, wanted: number) {
  const [pages, setPages] = useState<ImageData[]>([])
  const [count, setCount] = useState<number | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const worker = useRef<Worker | null>(null)
  useEffect(() => {
    const failed = () => setFault('The preview could not be shown. Download the file instead.')
    const started = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' })
    worker.current = started
    started.addEventListener('error', failed)
    started.addEventListener('message', ({ data }: MessageEvent<PdfReply>) => {
      if ('fault' in data) return failed()
      if ('count' in data) return setCount(data.count)
      setPages((before) => [...before, data.page])
    })
    void Promise.resolve(blob ?? load(url)).then((file) => post(started, { file }), failed)
    return () => started.terminate()
  }, [url, blob])
  useEffect(() => {
    if (count === null || !worker.current || pages.length >= Math.min(wanted, count)) return
    post(worker.current, { index: pages.length })
  }, [count, wanted, pages.length])
  return { pages, count, fault }
}

const post = (worker: Worker, request: PdfRequest) => worker.postMessage(request)

async function load(url: string): Promise<Blob> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(String(response.status))
  return response.blob()
}

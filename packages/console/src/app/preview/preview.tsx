import { useEffect, useState } from 'preact/hooks'
import { Fault } from '../../shared/parts/card.tsx'
import { ScrollArea } from '../../shared/parts/table.tsx'
import { previewKind } from '../convert/item.ts'
import { lazy } from '../lazy.tsx'

// A result, shown before it is downloaded. Large texts are cut, and a PDF is drawn page by page.

const maxTextBytes = 300_000

const PdfPages = lazy(() => import('./pdf-pages.tsx').then((module) => module.PdfPages))
const Markdown = lazy(() => import('./markdown.tsx').then((module) => module.Markdown))

export interface PreviewProps {
  url: string
  /** A result of the browser; the content policy does not let scripts fetch its URL. */
  blob: Blob | null
  format: string
  name: string
}

export function Preview({ url, blob, format, name }: PreviewProps) {
  switch (previewKind(format)) {
    case 'pdf':
      return <PdfPages url={url} blob={blob} />
    case 'video':
      return (
        // biome-ignore lint/a11y/useMediaCaption: a converted video has the captions that its source had.
        <video
          class="preview-media"
          src={url}
          controls
          preload="metadata"
          aria-label={`Preview of ${name}`}
        />
      )
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: converted sound has no captions.
      return <audio class="preview-media" src={url} controls aria-label={`Preview of ${name}`} />
    case 'image':
      return <img class="preview-media" src={url} alt={`Preview of ${name}`} />
    case 'markdown':
      return <TextOf url={url}>{(text) => <Markdown text={text} />}</TextOf>
    default:
      return (
        <TextOf url={url}>
          {(text) => (
            <ScrollArea class="preview-text" label={`Preview of ${name}`}>
              <pre>{text}</pre>
            </ScrollArea>
          )}
        </TextOf>
      )
  }
}

/** The beginning of a text. */
function TextOf({ url, children }: { url: string; children: (text: string) => preact.JSX.Element }) {
  const [text, setText] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  useEffect(() => {
    readStart(url).then(setText, () =>
      setFault('The preview could not be loaded. Download the file instead.'),
    )
  }, [url])
  if (fault) return <Fault text={fault} />
  if (text === null) return <p class="muted small">Loading the preview…</p>
  return (
    <>
      {children(text)}
      {text.length >= maxTextBytes ? (
        <p class="muted small">This is the beginning; the download has all of it.</p>
      ) : null}
    </>
  )
}

async function readStart(url: string): Promise<string> {
  const response = await fetch(url, { headers: { range: `bytes=0-${maxTextBytes - 1}` } })
  if (response.status === 416) return ''
  if (!response.ok) throw new Error(String(response.status))
  return (await response.text()).slice(0, maxTextBytes)
}

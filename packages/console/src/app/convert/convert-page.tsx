import { useEffect, useReducer, useRef, useState } from 'preact/hooks'
import * as format from '../../shared/format.ts'
import { Fault } from '../../shared/parts/card.tsx'
import type { Visitor } from '../session.ts'
import { loadCatalog } from './catalog.ts'
import { type Conversions, createConversions } from './conversions.ts'
import { type ChosenFile, DropZone } from './drop-zone.tsx'
import { FileRow } from './file-row.tsx'
import { type Item, isActive, isMergeable } from './item.ts'
import { Toolbar } from './toolbar.tsx'

export function ConvertPage({ visitor }: { visitor: Visitor }) {
  const { conversions, add, fault } = useConversions(visitor)
  const items = conversions?.items() ?? []
  return (
    <div class="convert page-width">
      <header class="intro">
        <h1>Convert files</h1>
        <p class="muted">Office documents, PDF, Markdown and other text, images, sound, video, archives.</p>
      </header>
      <Fault text={fault} />
      <DropZone isSmall={items.length > 0} onFiles={add} />
      {visitor.maxBytes === null ? null : (
        <p class="muted small">
          You are using guest access: files of up to {format.bytes(visitor.maxBytes)}.{' '}
          <a href="/sign-in">Sign in</a> for larger ones.
        </p>
      )}
      {conversions && items.length > 0 ? <Files conversions={conversions} items={items} /> : null}
    </div>
  )
}

function Files({ conversions, items }: { conversions: Conversions; items: readonly Item[] }) {
  const firstPdf = items.find(isMergeable)
  return (
    <section aria-label="Your files">
      <p class="hidden-text" role="status">
        {statusSentence(items)}
      </p>
      <ul class="files">
        {items.map((item) => (
          <FileRow
            key={item.key}
            item={item}
            version={versionOf(item)}
            canMoveUp={isMergeable(item) && item !== firstPdf}
            conversions={conversions}
          />
        ))}
      </ul>
      <Toolbar conversions={conversions} items={items} />
    </section>
  )
}

/** Items are changed in place; a row is drawn again when this changes. */
const versionOf = ({ file: _, blob: __, parts: ___, ...shown }: Item): string => JSON.stringify(shown)

/** For screen readers: changes when something ends, not with every percent. */
function statusSentence(items: readonly Item[]): string {
  const count = (state: Item['state']) => items.filter((item) => item.state === state).length
  const parts = [`${format.plural(items.length, 'file')}.`]
  const active = items.filter(isActive).length
  if (active > 0) parts.push(`${active} in progress.`)
  if (count('done') > 0) parts.push(`${count('done')} converted.`)
  if (count('failed') > 0) parts.push(`${count('failed')} failed.`)
  return parts.join(' ')
}

interface ConversionsState {
  conversions: Conversions | null
  add(files: ChosenFile[]): void
  fault: string | null
}

function useConversions(visitor: Visitor): ConversionsState {
  const [conversions, setConversions] = useState<Conversions | null>(null)
  // Files that were chosen while the list of formats was still loading.
  const early = useRef<ChosenFile[]>([])
  const [fault, setFault] = useState<string | null>(null)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    let created: Conversions | null = null
    let isGone = false
    loadCatalog().then(
      (catalog) => {
        if (isGone) return
        created = createConversions(catalog, visitor.userName ?? 'guest')
        created.onChange(() => redraw(null))
        created.add(early.current.splice(0))
        setConversions(created)
      },
      (failure: Error) => setFault(failure.message),
    )
    return () => {
      isGone = true
      created?.stop()
    }
  }, [visitor.userName])
  const add = (files: ChosenFile[]) => {
    if (conversions) conversions.add(files)
    else early.current.push(...files)
  }
  return { conversions, add, fault }
}

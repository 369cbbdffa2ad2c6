import { useState } from 'preact/hooks'
import * as format from '../../shared/format.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Fault } from '../../shared/parts/card.tsx'
import { useAction } from '../../shared/use-action.ts'
import type { Target } from './catalog.ts'
import type { Conversions } from './conversions.ts'
import { type Item, isActive, isMergeable } from './item.ts'

/** Actions on all files. */
export function Toolbar({ conversions, items }: { conversions: Conversions; items: readonly Item[] }) {
  const ready = items.filter(canConvert)
  const pdfs = ready.filter(isMergeable)
  const done = items.filter(({ state, downloadUrl }) => state === 'done' && downloadUrl)
  const ended = items.filter(({ state }) => state === 'done' || state === 'failed')
  const active = items.filter(isActive).length
  return (
    <div class="toolbar">
      <p class="muted small">
        {active > 0 ? `${done.length} of ${items.length} converted` : format.plural(items.length, 'file')}
      </p>
      {pdfs.length > 1 ? (
        <Button
          kind="quiet"
          text={`Merge ${pdfs.length} PDFs`}
          title="In the order of the list. The files stay on your computer."
          onClick={() => conversions.merge(pdfs)}
        />
      ) : null}
      {ready.length > 1 ? <TargetOfAll conversions={conversions} items={ready} /> : null}
      {ended.length > 1 ? (
        <Button kind="quiet" text="Clear finished" onClick={() => ended.forEach(conversions.remove)} />
      ) : null}
      {done.length > 1 ? <ZipButton items={done} /> : null}
      {ready.length > 0 ? (
        <Button
          text={`Convert ${ready.length === 1 ? 'the file' : format.plural(ready.length, 'file')}`}
          onClick={() => conversions.convert(ready)}
        />
      ) : null}
    </div>
  )
}

const canConvert = ({ state, target, size }: Item): boolean =>
  state === 'ready' && target !== null && size <= (target.pair?.maxBytes ?? Number.POSITIVE_INFINITY)

function TargetOfAll({ conversions, items }: { conversions: Conversions; items: readonly Item[] }) {
  const common = (items[0]?.targets ?? []).filter(({ to }) =>
    items.every(({ targets }) => targets.some((target) => target.to === to)),
  )
  if (common.length < 2) return null
  const current = items[0]?.target?.to ?? ''
  const isSame = items.every(({ target }) => target?.to === current)
  const choose = (to: string) => {
    for (const item of items) {
      const target = item.targets.find((each: Target) => each.to === to)
      if (target && target !== item.target) conversions.change(item, { target, options: {} })
    }
  }
  return (
    <label class="target">
      All to
      <select value={isSame ? current : ''} onChange={(event) => choose(event.currentTarget.value)}>
        {isSame ? null : <option value="">Different formats</option>}
        {common.map(({ to, label }) => (
          <option key={to} value={to}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}

function ZipButton({ items }: { items: readonly Item[] }) {
  const [count, setCount] = useState(0)
  const { run, isBusy, fault } = useAction()
  const download = async () => {
    setCount(0)
    const { downloadAsZip } = await import('./zip.ts')
    await downloadAsZip(items, setCount)
  }
  return (
    <>
      <Fault text={fault} />
      <Button
        kind="quiet"
        text={isBusy ? `Preparing the zip: ${count} of ${items.length}` : 'Download all as zip'}
        disabled={isBusy}
        onClick={() => run(download)}
      />
    </>
  )
}

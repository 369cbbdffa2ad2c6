import { memo } from 'preact/compat'
import { useId, useState } from 'preact/hooks'
import * as format from '../../shared/format.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Progress } from '../../shared/parts/card.tsx'
import { Fields, OptionsForm } from '../../shared/parts/options-form.tsx'
import { lazy } from '../lazy.tsx'
import { explainFailure } from './advice.ts'
import type { Conversions } from './conversions.ts'
import { browserOptionFields } from './in-browser.ts'
import { type Item, isActive, isZipped, outputName, previewKind } from './item.ts'

const Preview = lazy(() => import('../preview/preview.tsx').then((module) => module.Preview))

export interface FileRowProps {
  item: Item
  /** Changes with everything that is shown. */
  version: string
  /** PDFs are merged in the order of the list. */
  canMoveUp: boolean
  conversions: Conversions
}

export const FileRow = memo(
  ({ item, canMoveUp, conversions }: FileRowProps) => {
    const [open, setOpen] = useState<'options' | 'preview' | null>(null)
    const panel = useId()
    const toggle = (what: 'options' | 'preview') => setOpen(open === what ? null : what)
    return (
      <li class={`file ${item.state}`}>
        <div class="file-line">
          <span class="file-kind" aria-hidden="true">
            {(item.from ?? '?').slice(0, 4)}
          </span>
          <div class="file-name">
            <h2>{item.name}</h2>
            <p class="muted small">{sizeText(item)}</p>
          </div>
          <div class="file-actions">
            <Actions item={item} conversions={conversions} open={open} panel={panel} onToggle={toggle} />
            {canMoveUp ? (
              <IconButton
                label="Move up"
                name={item.name}
                path="m4 9 4-4 4 4"
                onClick={() => conversions.moveUp(item)}
              />
            ) : null}
            <IconButton
              label="Remove"
              name={item.name}
              path="m4 4 8 8m0-8-8 8"
              onClick={() => conversions.remove(item)}
            />
          </div>
        </div>
        <State item={item} />
        {open === null ? null : (
          <div id={panel} class="file-panel">
            {open === 'options' ? (
              <Options item={item} onChange={(options) => conversions.change(item, { options })} />
            ) : null}
            {open === 'preview' && item.downloadUrl && item.target ? (
              <Preview
                url={item.downloadUrl}
                blob={item.blob}
                format={item.target.to}
                name={outputName(item)}
              />
            ) : null}
          </div>
        )}
      </li>
    )
  },
  (before, after) =>
    before.version === after.version && before.item === after.item && before.canMoveUp === after.canMoveUp,
)

interface IconButtonProps {
  label: string
  /** The file that it is for. */
  name: string
  path: string
  onClick: () => void
}

function IconButton({ label, name, path, onClick }: IconButtonProps) {
  return (
    <button type="button" class="icon-button" aria-label={`${label} ${name}`} title={label} onClick={onClick}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  )
}

interface OptionsProps {
  item: Item
  onChange: (options: Item['options']) => void
}

function Options({ item: { from, target, options }, onChange }: OptionsProps) {
  if (target?.pair) {
    const { slug } = target.pair
    return <OptionsForm key={slug} pair={slug} values={options} onChange={onChange} />
  }
  const fields = browserOptionFields(from, target?.to ?? '')
  return <Fields key={target?.to} fields={fields} values={options} onChange={onChange} />
}

const hasOptions = ({ from, target }: Item): boolean =>
  target !== null && (target.pair !== null || browserOptionFields(from, target.to).length > 0)

function sizeText({ size, target, state }: Item): string {
  const bytes = format.bytes(size)
  if (state !== 'ready') return `${bytes} to ${target?.label ?? 'another format'}`
  return target?.pair === null ? `${bytes}, stays on your computer` : bytes
}

interface ActionsProps {
  item: Item
  conversions: Conversions
  open: 'options' | 'preview' | null
  panel: string
  onToggle: (what: 'options' | 'preview') => void
}

function Actions({ item, conversions, open, panel, onToggle }: ActionsProps) {
  const toggleButton = (what: 'options' | 'preview', text: string) => (
    <button
      type="button"
      class="button quiet small"
      aria-expanded={open === what}
      {...(open === what ? { 'aria-controls': panel } : {})}
      onClick={() => onToggle(what)}
    >
      {text}
      <span class="hidden-text"> of {item.name}</span>
    </button>
  )
  if (item.state === 'ready' && item.targets.length > 0)
    return (
      <>
        <TargetChoice item={item} conversions={conversions} />
        {hasOptions(item) ? toggleButton('options', 'Options') : null}
      </>
    )
  if (item.state === 'done' && item.downloadUrl)
    return (
      <>
        {item.target && previewKind(item.target.to) && !isZipped(item)
          ? toggleButton('preview', 'Preview')
          : null}
        <a class="button small" href={item.downloadUrl} download={outputName(item).split('/').at(-1)}>
          Download<span class="hidden-text"> {outputName(item)}</span>
        </a>
      </>
    )
  if (item.state === 'failed' && item.file)
    return (
      <>
        {/^(password-protected|invalid-options)/.test(item.error ?? '')
          ? toggleButton('options', 'Options')
          : null}
        <Button
          kind="quiet small"
          text="Try again"
          hiddenText={`with ${item.name}`}
          onClick={() => conversions.retry(item)}
        />
      </>
    )
  return null
}

function TargetChoice({ item, conversions }: { item: Item; conversions: Conversions }) {
  const id = useId()
  return (
    <span class="target">
      <label for={id}>
        <span class="hidden-text">Convert {item.name} </span>to
      </label>
      <select
        id={id}
        value={item.target?.to ?? ''}
        onChange={({ currentTarget }) => {
          const target = item.targets.find(({ to }) => to === currentTarget.value) ?? null
          // Another target has other options.
          conversions.change(item, { target, options: {} })
        }}
      >
        {item.targets.map(({ to, label, pair }) => (
          <option key={to} value={to}>
            {label}
            {pair === null ? ' (stays on your computer)' : ''}
          </option>
        ))}
      </select>
    </span>
  )
}

function State({ item }: { item: Item }) {
  if (item.state === 'ready') return <ReadyState item={item} />
  if (item.state === 'failed') return <Failure item={item} />
  if (item.state === 'lost-file')
    return (
      <p class="file-state warn">
        This job waits for its file. If the upload was interrupted, choose the same file again: you are not
        charged twice.
      </p>
    )
  if (item.state === 'done') return <Done item={item} />
  if (!isActive(item)) return null
  const text = progressText(item)
  return (
    <div class="file-state">
      <Progress value={item.progress} label={`${item.name}: ${text}`} />
      <p class="muted small">{text}</p>
    </div>
  )
}

function ReadyState({ item }: { item: Item }) {
  const { targets, target, from, size } = item
  if (targets.length === 0)
    return (
      <p class="file-state warn">
        {from === null
          ? 'A file without an ending cannot be converted here.'
          : `.${from} files cannot be converted here.`}{' '}
        Remove it from the list.
      </p>
    )
  const maxBytes = target?.pair?.maxBytes
  return maxBytes !== undefined && size > maxBytes ? (
    <p class="file-state warn">
      Too large: this conversion takes files of up to {format.bytes(maxBytes)}. Split the file, or choose
      another target.
    </p>
  ) : null
}

function Done({ item }: { item: Item }) {
  const { summary, warnings, downloadUrl, expiresAt } = item
  if (!downloadUrl)
    return (
      <p class="file-state muted small">The result has expired and was deleted. Convert the file again.</p>
    )
  return (
    <div class="file-state done-text">
      <p class="small">
        <span class="good">Done.</span> {summary}
        {expiresAt ? <span class="muted"> Available until {format.clock(expiresAt)}.</span> : null}
      </p>
      {warnings.length > 0 ? (
        <details class="small">
          <summary>{format.plural(warnings.length, 'detail')}</summary>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  )
}

function Failure({ item }: { item: Item }) {
  const { sentence, advice } = explainFailure(item.error ?? 'The conversion failed.')
  return (
    <div class="file-state notice bad small" role="alert">
      <p>{sentence}</p>
      <p>{advice}</p>
    </div>
  )
}

function progressText({ state, progress, ahead, aheadIsCapped, note }: Item): string {
  const percent = progress === null ? '' : ` ${Math.round(progress * 100)} %`
  switch (state) {
    case 'waiting':
      return note ?? 'Waiting.'
    case 'submitting':
      return 'Waiting to upload'
    case 'uploading':
      return `Uploading${percent}`
    case 'queued':
      if (!ahead) return 'In the queue: next'
      return `In the queue: ${aheadIsCapped ? 'more than ' : ''}${format.plural(ahead, 'job')} ahead`
    default:
      return `Converting${percent}`
  }
}

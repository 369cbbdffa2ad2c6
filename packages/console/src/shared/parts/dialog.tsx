import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useAction } from '../use-action.ts'
import { Button } from './button.tsx'
import { Fault } from './card.tsx'

export interface DialogProps {
  title: string
  children: ComponentChildren
  onClose: () => void
}

/** A modal dialog of the browser: it traps the focus, and Escape closes it. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const name = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby={name} onClose={onClose}>
      <h2 id={name}>{title}</h2>
      {children}
    </dialog>
  )
}

export interface ConfirmProps {
  title: string
  text: ComponentChildren
  action: string
  onConfirm: () => Promise<void>
  onClose: () => void
}

/** Asks before something that cannot be undone; shows when it failed. */
export function Confirm({ title, text, action, onConfirm, onClose }: ConfirmProps) {
  const { run, isBusy, fault } = useAction()
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-text">{text}</div>
      <Fault text={fault} />
      <div class="dialog-actions">
        <Button kind="quiet" text="Back" onClick={onClose} />
        <Button text={action} disabled={isBusy} onClick={() => run(() => onConfirm().then(onClose))} />
      </div>
    </Dialog>
  )
}

export interface SecretDialogProps {
  title: string
  text: string
  secret: string
  onClose: () => void
}

/** A secret that is shown only once. */
export function SecretDialog({ title, text, secret, onClose }: SecretDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="dialog-text">{text}</p>
      <div class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} />
      </div>
      <div class="dialog-actions">
        <Button text="I have saved it" onClick={onClose} />
      </div>
    </Dialog>
  )
}

export const NewKeyDialog = (props: Pick<SecretDialogProps, 'secret' | 'onClose'>) => (
  <SecretDialog
    title="The new API key"
    text="It is shown only once: the service stores a hash. If it is lost, create another."
    {...props}
  />
)

function CopyButton({ text }: { text: string }) {
  const [said, setSaid] = useState('Copy')
  const copy = async () => {
    // The clipboard exists on secure pages only.
    const isDone = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    setSaid(isDone ? 'Copied' : 'Copy by hand')
    setTimeout(() => setSaid('Copy'), 1600)
  }
  return <Button kind="quiet small" text={said} onClick={copy} />
}

import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'

export interface CardProps {
  title: string
  children: ComponentChildren
  /** Shown to the right of the title. */
  aside?: ComponentChildren
  class?: string
}

export function Card({ title, children, aside, class: name = '' }: CardProps) {
  return (
    <section class={`card ${name}`}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

export interface FigureProps {
  label: string
  value: ComponentChildren
  note?: ComponentChildren
  tone?: 'good' | 'warn' | 'bad' | ''
}

/** A key figure. */
export function Figure({ label, value, note, tone = '' }: FigureProps) {
  return (
    <div class={`figure ${tone}`}>
      <dt>{label}</dt>
      <dd>
        <span class="value">{value}</span>
        {note ? <span class="note">{note}</span> : null}
      </dd>
    </div>
  )
}

export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>

export interface MeterProps {
  part: number
  all: number
  label: string
  /** Whether it is highlighted when it is almost full. */
  warns?: boolean
}

export function Meter({ part, all, label, warns = false }: MeterProps) {
  const share = all > 0 ? Math.min(1, part / all) : 0
  return (
    <span class={`meter ${warns && share > 0.9 ? 'full' : ''}`} role="img" aria-label={label}>
      <span style={{ width: `${share * 100}%` }} />
    </span>
  )
}

/** Progress from 0 to 1; null where it is unknown. */
export function Progress({ value, label }: { value: number | null; label: string }) {
  return (
    <progress
      class={value === null ? 'unknown' : ''}
      max={1}
      aria-label={label}
      {...(value === null ? {} : { value })}
    />
  )
}

/** One line of a list of facts. */
export function Fact({
  name,
  children,
  tone = '',
}: {
  name: string
  children: ComponentChildren
  tone?: string
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={tone}>{children}</dd>
    </div>
  )
}

/** Loads the next page of a list; nothing after the last. */
export const Older = ({ load, text }: { load: (() => Promise<void>) | null; text: string }) =>
  load === null ? null : (
    <p class="more">
      <Button kind="quiet small" text={text} onClick={load} />
    </p>
  )

/** The success of the user's last action. */
export const Note = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p class="notice good" role="status">
      {text}
    </p>
  )

/** The error of the user's last action. */
export const Fault = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p class="notice bad" role="alert">
      {text}
    </p>
  )

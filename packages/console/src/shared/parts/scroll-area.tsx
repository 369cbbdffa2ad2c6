import type { ComponentChildren } from 'preact'

/** A region that scrolls. It can be focused, so that the arrow keys scroll it. */
export const ScrollArea = (props: { class: string; label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard cannot scroll the region.
  <section class={props.class} aria-label={props.label} tabIndex={0}>
    {props.children}
  </section>
)

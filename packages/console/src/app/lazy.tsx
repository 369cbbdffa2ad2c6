import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Fault } from '../shared/parts/card.tsx'

/** A component whose code is loaded when it is first shown. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return function Lazy(props: Props) {
    const [Component, setComponent] = useState<ComponentType<Props> | null>(() => loaded)
    const [fault, setFault] = useState<string | null>(null)
    useEffect(() => {
      if (loaded) return
      load().then(
        (component) => {
          loaded = component
          setComponent(() => component)
        },
        () => setFault('This part of the page could not be loaded. Reload the page.'),
      )
    }, [])
    if (fault) return <Fault text={fault} />
    return Component ? <Component {...props} /> : <p class="loading muted">Loading…</p>
  }
}

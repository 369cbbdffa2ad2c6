import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

// Addresses below /console. A link is an ordinary link; a plain click is answered without a new page.

const root = '/console'

export interface Route {
  /** The path below /console, like `/jobs/…`. */
  path: string
  query: URLSearchParams
}

const readRoute = (): Route => ({
  path: location.pathname.slice(root.length).replace(/\/$/, '') || '/',
  query: new URLSearchParams(location.search),
})

const changed = new EventTarget()

export function go(path: string, options: { replace?: boolean } = {}): void {
  history[options.replace ? 'replaceState' : 'pushState'](null, '', root + path)
  changed.dispatchEvent(new Event('change'))
  if (!options.replace) scrollTo(0, 0)
}

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute)
  useEffect(() => {
    const read = () => setRoute(readRoute())
    changed.addEventListener('change', read)
    addEventListener('popstate', read)
    return () => {
      changed.removeEventListener('change', read)
      removeEventListener('popstate', read)
    }
  }, [])
  return route
}

export interface LinkProps {
  to: string
  class?: string
  'aria-current'?: 'page'
  children: ComponentChildren
}

export function Link({ to, children, ...rest }: LinkProps) {
  const onClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(to)
  }
  return (
    <a {...rest} href={root + to} onClick={onClick}>
      {children}
    </a>
  )
}

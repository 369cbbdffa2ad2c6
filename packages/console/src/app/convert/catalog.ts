import { formatOfName } from '../../../../client/src/formats.ts'
import { call } from '../../shared/api.ts'
import { browserTargets } from './in-browser.ts'

// Possible targets of each file, on the server or in the browser.

interface Format {
  name: string
  label: string
  extension: string
}

interface Pair {
  slug: string
  from: string
  to: string
  maxBytes: number
  credits: number
}

export interface Target {
  to: string
  label: string
  extension: string
  /** The pair of the service; null when the browser converts the file itself. */
  pair: Pair | null
}

export interface Catalog {
  formatOf(name: string): string | null
  /** The usual target first. */
  targetsOf(format: string | null): Target[]
}

const usualTargets = ['pdf', 'docx', 'mp4', 'md', 'html', 'xlsx']

export async function loadCatalog(): Promise<Catalog> {
  const { formats, pairs } = await call<{ formats: Format[]; pairs: Pair[] }>('/formats')
  const byName = new Map(formats.map((format) => [format.name, format]))
  // To change the pages of a PDF is wanted less often than another format.
  const rank = ({ to }: Target, from: string) =>
    to === from
      ? usualTargets.length + 1
      : (usualTargets.indexOf(to) + usualTargets.length + 1) % (usualTargets.length + 1)
  return {
    formatOf: formatOfName,
    targetsOf(from) {
      if (from === null) return []
      const onServer = pairs
        .filter((pair) => pair.from === from)
        .map((pair): Target => {
          const format = byName.get(pair.to)
          const { label = pair.to, extension = pair.to } = format ?? {}
          return { to: pair.to, label, extension, pair }
        })
      const inBrowser = browserTargets(from)
        .filter(({ to }) => !onServer.some((target) => target.to === to))
        .map((target): Target => ({ ...target, pair: null }))
      return [...onServer, ...inBrowser].sort((a, b) => rank(a, from) - rank(b, from))
    },
  }
}

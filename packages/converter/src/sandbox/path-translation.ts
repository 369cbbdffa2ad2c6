import type { Enclosure } from './policy.ts'

// A level without mounts has no /in and /out: the program gets the host's paths instead. Arguments and environment
// come from Kiln's own code, so a path in them is recognized by its prefix. In the output of the program, host paths are
// replaced by those inside, so that none leaks.

interface Names {
  inside: string
  outside: string
}

export interface Translation {
  enclosure: Enclosure
  toHost(text: string): string
  toInside(untrustedText: string): string
}

const unchanged = (text: string) => text

export const withMounts = (enclosure: Enclosure): Translation => ({
  enclosure,
  toHost: unchanged,
  toInside: unchanged,
})

/** The same enclosure with the host's paths instead of those inside. */
export function withHostPaths(enclosure: Enclosure): Translation {
  const places = enclosure.places.flatMap((place) => (place.access === 'memory' ? [] : [place]))
  const toHost = (text: string) => translatePaths(text, places)
  return {
    enclosure: {
      ...enclosure,
      program: toHost(enclosure.program),
      args: enclosure.args.map(toHost),
      environment: Object.fromEntries(
        Object.entries(enclosure.environment).map(([name, value]) => [name, toHost(value)]),
      ),
      workingFolder: toHost(enclosure.workingFolder),
    },
    toHost,
    toInside: (text) => translateBack(text, places),
  }
}

const longestFirst = (places: readonly Names[], side: keyof Names) =>
  [...places].sort((a, b) => b[side].length - a[side].length)

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Replaces every mount point at the start of a path: alone, or followed by a slash, with no path character before it. */
export function translatePaths(text: string, places: readonly Names[]): string {
  const ordered = longestFirst(places, 'inside')
  const pattern = new RegExp(
    `(?<![\\w./-])(?:file://)?(${ordered.map(({ inside }) => escaped(inside)).join('|')})(?=[/:;,'"\\s]|$)`,
    'g',
  )
  return text.replace(pattern, (whole, inside: string) => {
    const place = ordered.find((candidate) => candidate.inside === inside)
    return place ? whole.slice(0, whole.length - inside.length) + place.outside : whole
  })
}

export function translateBack(text: string, places: readonly Names[]): string {
  return longestFirst(places, 'outside').reduce(
    (result, { inside, outside }) => result.replaceAll(outside, inside),
    text,
  )
}

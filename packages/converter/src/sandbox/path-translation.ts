// A level without mounts has no /in and /out: the program gets the host's paths instead. Arguments and
// environment come from Kiln's own code, so a path in them is found by how it begins; what the program
// says is turned back, so that no host path goes any further.

export interface Place {
  inside: string
  outside: string
}

const longestFirst = (places: readonly Place[], side: keyof Place) =>
  [...places].sort((a, b) => b[side].length - a[side].length)

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Replaces every place at the start of a path: alone, or followed by a slash, with no path character before it. */
export function translatePaths(text: string, places: readonly Place[]): string {
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

export function translateBack(text: string, places: readonly Place[]): string {
  return longestFirst(places, 'outside').reduce(
    (result, { inside, outside }) => result.replaceAll(outside, inside),
    text,
  )
}

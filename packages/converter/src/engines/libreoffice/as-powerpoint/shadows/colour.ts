// A colour as a file defines it: by its components, by name, or as one of the theme's, made lighter, darker or transparent.

export interface Colour {
  /** Red, green and blue, up to 255. */
  parts: readonly number[]
  opacity: number
}

/** The parts of a colour of the theme; none where it has no such colour. */
export type Scheme = (name: string) => readonly number[] | undefined

const told = /^\s*<a:(srgbClr|prstClr|schemeClr) val="(\w{1,30})"\s*(?:\/>|>([\s\S]*)<\/a:\1>)\s*$/

/** None where the file says more than is understood here. */
export function readColour(xml: string, scheme: Scheme): Colour | undefined {
  const [, kind, value = '', changes = ''] = told.exec(xml) ?? []
  let parts = kind === 'srgbClr' ? hexParts(value) : kind === 'prstClr' ? named.get(value) : scheme(value)
  let opacity = 1
  for (const [element] of changes.matchAll(/<[^<>]*>/g)) {
    const [, change = '', figure = ''] = /^<a:(\w+) val="(\d{1,6})"\s*\/>$/.exec(element) ?? []
    const share = Number(figure) / 100_000
    if (change === 'alpha') opacity = Math.min(1, share)
    else if (change === 'lumMod') parts = parts && withLightness(parts, (lightness) => lightness * share)
    else if (change === 'lumOff') parts = parts && withLightness(parts, (lightness) => lightness + share)
    else return undefined
  }
  return parts && { parts, opacity }
}

const named: ReadonlyMap<string, readonly number[]> = new Map([
  ['black', [0, 0, 0]],
  ['white', [255, 255, 255]],
])

const hexParts = (value: string): number[] | undefined =>
  /^[\da-f]{6}$/i.test(value)
    ? [0, 2, 4].map((at) => Number.parseInt(value.slice(at, at + 2), 16))
    : undefined

/** Hue and saturation stay. */
function withLightness(parts: readonly number[], change: (lightness: number) => number): number[] {
  const [most, least] = [Math.max(...parts) / 255, Math.min(...parts) / 255]
  const old = (most + least) / 2
  const lightness = Math.min(1, Math.max(0, change(old)))
  const room = (value: number) => 1 - Math.abs(2 * value - 1)
  const stretch = room(old) === 0 ? 0 : room(lightness) / room(old)
  return parts.map((part) => Math.round(255 * (lightness + (part / 255 - old) * stretch)))
}

/** `map` is the element by which a master says which of the theme's colours is meant by which name. */
export function schemeOf(theme: string, map: string): Scheme {
  const names = new Map(Array.from(map.matchAll(/ (\w+)="(\w+)"/g), ([, name = '', own = '']) => [name, own]))
  const colours = theme.matchAll(/<a:(\w+)>\s*<a:(?:srgbClr val|sysClr [^<>]*lastClr)="(\w{6})"/g)
  const parts = new Map(Array.from(colours, ([, name = '', value = '']) => [name, hexParts(value)]))
  return (name) => parts.get(names.get(name) ?? name)
}

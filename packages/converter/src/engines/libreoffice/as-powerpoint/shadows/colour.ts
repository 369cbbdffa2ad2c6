import type { XmlNode } from '../../../../package/edit-xml.ts'

// A colour in a file: by its components, by name, or from the theme, with changes of lightness and opacity.

export interface Colour {
  /** Red, green and blue, 0 to 255. */
  parts: readonly number[]
  opacity: number
}

/** The components of a theme colour; undefined if the theme has no such colour. */
export type Scheme = (name: string) => readonly number[] | undefined

/**
 * The colour of an element that has one colour and nothing else; undefined if it has modifiers that are not supported
 * here.
 */
export function readColour({ children }: XmlNode, scheme: Scheme): Colour | undefined {
  const [colour, ...others] = children
  const value = colour?.attributes.val ?? ''
  if (!colour || others.length > 0) return undefined
  let parts =
    colour.name === 'a:srgbClr'
      ? hexParts(value)
      : colour.name === 'a:prstClr'
        ? named.get(value)
        : colour.name === 'a:schemeClr'
          ? scheme(value)
          : undefined
  let opacity = 1
  for (const { name, attributes } of colour.children) {
    if (!/^\d{1,6}$/.test(attributes.val ?? '')) return undefined
    const share = Number(attributes.val) / 100_000
    if (name === 'a:alpha') opacity = Math.min(1, share)
    else if (name === 'a:lumMod') parts = parts && withLightness(parts, (lightness) => lightness * share)
    else if (name === 'a:lumOff') parts = parts && withLightness(parts, (lightness) => lightness + share)
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

/** Keeps hue and saturation. */
function withLightness(parts: readonly number[], change: (lightness: number) => number): number[] {
  const [most, least] = [Math.max(...parts) / 255, Math.min(...parts) / 255]
  const old = (most + least) / 2
  const lightness = Math.min(1, Math.max(0, change(old)))
  const room = (value: number) => 1 - Math.abs(2 * value - 1)
  const stretch = room(old) === 0 ? 0 : room(lightness) / room(old)
  return parts.map((part) => Math.round(255 * (lightness + (part / 255 - old) * stretch)))
}

/** `map` is the element of a master that maps colour names to theme colours. */
export function schemeOf(colours: XmlNode | undefined, map: XmlNode | undefined): Scheme {
  const names = new Map(Object.entries(map?.attributes ?? {}))
  const parts = new Map(
    (colours?.children ?? []).map(({ name, children: [colour] }) => [
      name.replace(/^a:/, ''),
      hexParts((colour?.name === 'a:sysClr' ? colour.attributes.lastClr : colour?.attributes.val) ?? ''),
    ]),
  )
  return (name) => parts.get(names.get(name) ?? name)
}

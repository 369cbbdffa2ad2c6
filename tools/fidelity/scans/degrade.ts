import { createRandom, type Random } from '@kiln/test-support/random.ts'

// Simulates printing and scanning on the pixels of a page: the effects of scanners, copiers, fax machines and phones.

export interface GreyImage {
  width: number
  height: number
  /** 0 is black. */
  pixels: Uint8Array
}

export const devices = ['scanner', 'copier', 'fax', 'phone', 'turned', 'poor'] as const
/** `tilted` is a phone that is held at an angle to the sheet, `book` a scanner with two pages under it. */
export type Device = (typeof devices)[number] | 'tilted' | 'book'

interface Damage {
  /** Scale of the render, which has 300 dpi. */
  scale: number
  /** In degrees. */
  skew: number
  /** Quarter turns. */
  turns: number
  /** Corners move inwards by up to this share of the side; the table is visible around the sheet. */
  perspective: number
  /** Angle between the sheet and the picture, in degrees. */
  tilt: number
  /** Share of the light that is missing in the darkest corner. */
  shade: number
  /** Standard deviation of the noise, of 255. */
  noise: number
  /** Radius in pixels. */
  blur: number
  /** Opacity of the show-through from the other side of the sheet. */
  bleed: number
  /** Width of a black border, as a share of the side. */
  border: number
  /** Share of pixels that are specks. */
  specks: number
  bilevel: boolean
  /** Grey of the ink, of 255. */
  ink: number
  /** ffmpeg's scale: 2 is best. */
  jpeg: number
}

const none: Damage = {
  ...{ scale: 2 / 3, skew: 0, turns: 0, perspective: 0, tilt: 0, shade: 0, noise: 2, blur: 0 },
  ...{ bleed: 0, border: 0, specks: 0, bilevel: false, ink: 20, jpeg: 4 },
}

export function damageOf(device: Device, seed: number): Damage {
  const random = createRandom(seed * 104_729 + [...devices, 'tilted', 'book'].indexOf(device))
  const { between } = random
  const skew = between(-2.5, 2.5)
  switch (device) {
    case 'scanner':
      return { ...none, skew: between(-1, 1), noise: between(2, 6), jpeg: 6 }
    case 'copier':
      return {
        ...{ ...none, skew, shade: between(0.1, 0.3), noise: between(4, 10), blur: 1, jpeg: 8 },
        ...{ bleed: between(0.05, 0.2), border: between(0, 0.03), specks: 0.0004, ink: 60 },
      }
    case 'fax':
      return { ...none, scale: between(0.5, 0.68), skew, noise: 12, specks: 0.001, bilevel: true }
    case 'phone':
      return {
        ...{ ...none, scale: between(0.6, 0.85), skew: skew * 1.5, perspective: between(0.01, 0.05) },
        ...{ shade: between(0.3, 0.6), noise: between(3, 8), blur: 1, ink: 40, jpeg: 9 },
      }
    case 'tilted':
      return {
        ...{ ...none, scale: between(0.8, 0.95), skew: skew * 2, tilt: between(10, 30) },
        ...{ shade: between(0.2, 0.5), noise: between(3, 8), blur: 1, ink: 40, jpeg: 9 },
      }
    case 'book':
      return { ...none, skew, noise: between(2, 6), jpeg: 6 }
    case 'turned':
      return { ...none, skew: between(-1, 1), turns: random.pick([1, 2, 3]), noise: 4, jpeg: 6 }
    case 'poor':
      return {
        ...{ ...none, scale: between(0.4, 0.5), skew, shade: between(0.2, 0.4), noise: between(6, 14) },
        ...{ bleed: between(0, 0.15), ink: 90, jpeg: 12 },
      }
  }
}

export function degrade(page: GreyImage, other: GreyImage, damage: Damage, seed: number): GreyImage {
  const random = createRandom(seed * 15_485_863)
  const out = photograph(page, other, damage, random)
  for (let i = 0; i < damage.blur; i++) blur(out)
  light(out, damage, random)
  if (damage.border > 0) blacken(out, damage.border, random)
  for (let i = 0; i < out.pixels.length; i++) {
    const value = (out.pixels[i] as number) + damage.noise * gaussian(random)
    const speck = damage.specks > 0 && random.next() < damage.specks
    const seen = speck ? 255 * Number(random.next() < 0.3) : value
    out.pixels[i] = damage.bilevel ? (seen < 150 ? 0 : 255) : Math.max(0, Math.min(255, seen))
  }
  return out
}

/** Two pages on one picture. */
export function beside(left: GreyImage, right: GreyImage): GreyImage {
  const [width, height] = [left.width + right.width, Math.min(left.height, right.height)]
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    pixels.set(left.pixels.subarray(y * left.width, (y + 1) * left.width), y * width)
    pixels.set(right.pixels.subarray(y * right.width, (y + 1) * right.width), y * width + left.width)
  }
  return { width, height, pixels }
}

const gaussian = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())

/** A photograph: rotated, skewed and in perspective, with the ink's brightness. */
function photograph(page: GreyImage, other: GreyImage, damage: Damage, random: Random): GreyImage {
  const isQuarter = damage.turns % 2 === 1
  const width = Math.round((isQuarter ? page.height : page.width) * damage.scale)
  const height = Math.round((isQuarter ? page.width : page.height) * damage.scale)
  const pixels = new Uint8Array(width * height)
  const corners = Array.from({ length: 4 }, () => [
    damage.perspective * random.next(),
    damage.perspective * random.next(),
  ])
  const angle = (damage.skew * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const table = 70
  const place = damage.tilt > 0 ? tilted(width, height, damage.tilt, random) : undefined
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      // From the centre, in units of the page's sides.
      const [dx, dy] = [x - width / 2, y - height / 2]
      const u = (cos * dx - sin * dy) / width + 0.5
      const v = (sin * dx + cos * dy) / height + 0.5
      const [s, t] = place ? place(u, v) : unbend(u, v, corners)
      const [px, py] = turned(s, t, damage.turns)
      const isOutside = damage.perspective + damage.tilt > 0 && (s < 0 || s > 1 || t < 0 || t > 1)
      const front = sample(page, px * page.width, py * page.height)
      const back = damage.bleed > 0 ? sample(other, (1 - px) * other.width, py * other.height) : 255
      const paper = front - damage.bleed * (255 - back)
      pixels[y * width + x] = isOutside ? table : damage.ink + (Math.max(0, paper) * (245 - damage.ink)) / 255
    }
  return { width, height, pixels }
}

/** Distance of the camera from the sheet, in heights of the sheet. */
const cameraDistance = 1.6

/** A pinhole camera above the centre of a sheet that is tilted in some direction; the whole sheet is in the picture. */
function tilted(width: number, height: number, degrees: number, random: Random) {
  const [tilt, turn] = [(degrees * Math.PI) / 180, random.between(0, 2 * Math.PI)]
  const distance = cameraDistance * height
  // The sheet is lower by these for each pixel to the right and down.
  const [right, down] = [Math.sin(tilt) * Math.cos(turn), Math.sin(tilt) * Math.sin(turn)]
  const [acrossRight, acrossDown] = [Math.sqrt(1 - right ** 2), Math.sqrt(1 - down ** 2)]
  const onSheet = (x: number, y: number): [number, number] => {
    // The ray through the pixel meets the plane at this depth.
    const [slopeRight, slopeDown] = [right / acrossRight, down / acrossDown]
    const depth = 1 / (1 - (slopeRight * x + slopeDown * y) / distance)
    return [(x * depth) / acrossRight / width, (y * depth) / acrossDown / height]
  }
  // Seen from nearer, the lower edge is longer than the picture is wide.
  const zoom = 1.06 + Math.sin(tilt) / cameraDistance / 2
  return (u: number, v: number): [number, number] => {
    const [s, t] = onSheet((u - 0.5) * width * zoom, (v - 0.5) * height * zoom)
    return [s + 0.5, t + 0.5]
  }
}

/** The corners of the sheet are inside the picture; positions between them are interpolated. */
function unbend(u: number, v: number, corners: readonly (readonly number[])[]): [number, number] {
  const at = (corner: number, axis: number): number => corners[corner]?.[axis] ?? 0
  const left = at(0, 0) * (1 - v) + at(2, 0) * v
  const right = 1 - (at(1, 0) * (1 - v) + at(3, 0) * v)
  const top = at(0, 1) * (1 - u) + at(1, 1) * u
  const bottom = 1 - (at(2, 1) * (1 - u) + at(3, 1) * u)
  return [(u - left) / (right - left), (v - top) / (bottom - top)]
}

const turned = (s: number, t: number, turns: number): [number, number] =>
  turns === 1 ? [t, 1 - s] : turns === 2 ? [1 - s, 1 - t] : turns === 3 ? [1 - t, s] : [s, t]

/** Bilinear interpolation; white outside the sheet. */
function sample({ width, height, pixels }: GreyImage, x: number, y: number): number {
  const [x0, y0] = [Math.floor(x - 0.5), Math.floor(y - 0.5)]
  if (x0 < 0 || y0 < 0 || x0 + 1 >= width || y0 + 1 >= height) return 255
  const [fx, fy] = [x - 0.5 - x0, y - 0.5 - y0]
  const i = y0 * width + x0
  const top = (pixels[i] as number) * (1 - fx) + (pixels[i + 1] as number) * fx
  const bottom = (pixels[i + width] as number) * (1 - fx) + (pixels[i + width + 1] as number) * fx
  return top * (1 - fy) + bottom * fy
}

function blur(image: GreyImage): void {
  const { width, height } = image
  const source = image.pixels.slice()
  for (let y = 1; y + 1 < height; y++)
    for (let x = 1; x + 1 < width; x++) {
      const i = y * width + x
      const beside = (source[i - 1] as number) + (source[i + 1] as number)
      const above = (source[i - width] as number) + (source[i + width] as number)
      image.pixels[i] = (2 * (source[i] as number) + beside + above) / 6
    }
}

/** Darker towards one corner, with a soft shadow edge across. */
function light(image: GreyImage, { shade, perspective, tilt }: Damage, random: Random): void {
  if (shade === 0) return
  const { width, height, pixels } = image
  const [cx, cy] = [Number(random.next() < 0.5), Number(random.next() < 0.5)]
  const edge = random.between(0.6, 1.4)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = [Math.abs(x / width - cx), Math.abs(y / height - cy)]
      const shadow = perspective + tilt > 0 ? 0.3 / (1 + Math.exp(60 * (u + v - edge))) : 0
      const dark = shade * (1 - (u + v) / 2) + shade * shadow
      pixels[y * width + x] = (pixels[y * width + x] as number) * (1 - Math.min(0.85, dark))
    }
}

function blacken(image: GreyImage, share: number, random: Random): void {
  const { width, height, pixels } = image
  const [left, top] = [share * width * random.next(), share * height * random.next()]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (x < left || y < top) pixels[y * width + x] = 15
}

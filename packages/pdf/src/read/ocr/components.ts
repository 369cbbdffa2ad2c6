// Connected components of a binary picture.

/** Pixels of ink that touch each other, also diagonally; `x1` and `y1` are outside. */
export interface Component {
  x0: number
  x1: number
  y0: number
  y1: number
  /** Number of pixels. */
  ink: number
}

/** 1 for each pixel of a grey picture that is darker than the threshold. */
export function binarized(pixels: Uint8Array, threshold: number): Uint8Array {
  const ink = new Uint8Array(pixels.length)
  for (let i = 0; i < pixels.length; i++) ink[i] = Number((pixels[i] as number) < threshold)
  return ink
}

/** The components in the order of their first pixels, row by row. Clears `ink`, which has a 1 for each pixel of ink. */
export function* componentsOf(ink: Uint8Array, width: number): Generator<Component> {
  const height = ink.length / width
  const open: number[] = []
  for (let start = ink.indexOf(1); start >= 0; start = ink.indexOf(1, start)) {
    const found = { x0: width, x1: 0, y0: height, y1: 0, ink: 0 }
    ink[start] = 0
    open.push(start)
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const y = Math.floor(at / width)
      const x = at - y * width
      found.x0 = Math.min(found.x0, x)
      found.x1 = Math.max(found.x1, x + 1)
      found.y0 = Math.min(found.y0, y)
      found.y1 = Math.max(found.y1, y + 1)
      found.ink++
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
          const next = row * width + column
          if (ink[next] === 0) continue
          ink[next] = 0
          open.push(next)
        }
    }
    yield found
  }
}

import type { Colour } from '@kiln/test-support/png.ts'
import { expect } from 'vitest'
import type { TestPage } from './browsers.ts'

export interface Look {
  width: number
  height: number
  /** In the middle of the quarters, row by row. */
  colours: number[][]
}

/** An image as the browser decodes it. */
export async function lookOf(page: TestPage, image: Buffer): Promise<Look> {
  const text = await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${image.toString('base64')}'), (each) => each.charCodeAt(0))
    const { width, height } = await createImageBitmap(new Blob([bytes])).then((bitmap) => (window.shown = bitmap))
    const context = new OffscreenCanvas(width, height).getContext('2d')
    context.drawImage(window.shown, 0, 0)
    const at = (x, y) => [...context.getImageData(x * width, y * height, 1, 1).data]
    return JSON.stringify({ width, height,
      colours: [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)] })
  })()`)
  return JSON.parse(String(text)) as Look
}

/** Formats with loss change a value by a few units. */
export function expectColours({ colours }: Look, wanted: readonly Colour[], tolerance = 6, pair = ''): void {
  expect(colours).toHaveLength(wanted.length)
  const differences = colours.flatMap((colour, index) =>
    colour.map((value, part) => Math.abs(value - (wanted[index]?.[part] as number))),
  )
  expect(Math.max(...differences), `${pair} ${JSON.stringify(colours)}`).toBeLessThan(tolerance)
}

import { readFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Site } from './pages.ts'
import { acceptInvitation, chooseFiles, invitation, row, type TestFile } from './web-app.ts'

// Conversions that run in the browser (packages/browser), through the web app.

type Colour = readonly [red: number, green: number, blue: number, alpha: number]

const red: Colour = [255, 0, 0, 255]
const blue: Colour = [0, 0, 255, 255]
const white: Colour = [255, 255, 255, 255]
const transparent: Colour = [0, 0, 0, 0]
const side = 64
/** The quarters of the test image, row by row. */
const quarters = [red, blue, white, transparent] as const

function png(width: number, height: number, pixels: Buffer): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const content = Buffer.concat([Buffer.from(type), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(content))
    return Buffer.concat([length, content, checksum])
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function quarteredImage(): Buffer {
  const rows = Array.from({ length: side }, (_, y) => {
    const pixels = Array.from({ length: side }, (_, x) => quarterAt(x, y))
    return Buffer.from([0, ...pixels.flat()])
  })
  return png(side, side, Buffer.concat(rows))
}

const quarterAt = (x: number, y: number): Colour =>
  quarters[(y < side / 2 ? 0 : 2) + (x < side / 2 ? 0 : 1)] as Colour

const file = (name: string, buffer: Buffer): TestFile => ({ name, mimeType: '', buffer })

// A red square of 16 pixels.
const avif = Buffer.from(
  'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAD5bWV0YQAAAAAAAAAvaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAFBpY3R1cmVIYW5kbGVyAAAAAA5waXRtAAAAAAABAAAAHmlsb2MAAAAARAAAAQABAAAAAQAAASEAAAAdAAAAKGlpbmYAAAAAAAEAAAAaaW5mZQIAAAAAAQAAYXYwMUNvbG9yAAAAAGppcHJwAAAAS2lwY28AAAAUaXNwZQAAAAAAAAAQAAAAEAAAABBwaXhpAAAAAAMICAgAAAAMYXYxQ4EADAAAAAATY29scm5jbHgAAgACAAIAAAAAF2lwbWEAAAAAAAAAAQABBAECgwQAAAAlbWRhdAoGGAz/2wCAMhMYAAAAUAAAAACpjmy2qrHGtoVA',
  'base64',
)
// Four red pixels.
const gif = Buffer.from('R0lGODlhAgACAIAAAP8AAAAAACwAAAAAAgACAAACAwQIFAA7', 'base64')
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">' +
    '<image xlink:href="http://127.0.0.1:9/never.png" width="9" height="9"/><script>document.title = "ran"</script>' +
    '<rect width="64" height="64" fill="#f00"/></svg>',
)

/** The colours in the middle of the quarters, as the browser decodes the image. */
const coloursOf = (page: Page, image: Buffer): Promise<number[][]> =>
  page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${image.toString('base64')}'), (each) => each.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes]))
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    context.drawImage(bitmap, 0, 0)
    const at = (x, y) => [...context.getImageData(x * bitmap.width, y * bitmap.height, 1, 1).data]
    return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)]
  })()`)

/** Formats with loss change a value by a few units. */
function expectColours(found: readonly number[][], wanted: readonly Colour[]): void {
  const differences = found.flatMap((colour, index) =>
    colour.map((value, part) => Math.abs(value - (wanted[index]?.[part] as number))),
  )
  expect(differences).toHaveLength(4 * wanted.length)
  expect(Math.max(...differences)).toBeLessThan(6)
}

export function testConversionInBrowser(site: Site): void {
  let state: Awaited<ReturnType<Awaited<ReturnType<Site['open']>>['context']['storageState']>>
  beforeAll(async () => {
    const { page, context } = await site.open()
    await acceptInvitation(page, await invitation(site), 'lovelace')
    state = await context.storageState()
  })
  const open = async () => {
    const opened = await site.open({ storageState: state })
    // The last request of a page that starts.
    const formats = opened.page.waitForResponse(`${site.origin}/app/api/formats`)
    await opened.page.goto(site.origin)
    await (await formats).finished()
    return opened
  }
  const chooseTarget = (page: Page, name: string, to: string) =>
    row(page, name).getByLabel(/to$/).selectOption(to)
  const convert = (page: Page) => page.getByRole('button', { name: /^Convert / }).click()
  const resultOf = async (page: Page, name: string): Promise<Buffer> => {
    const link = row(page, name).getByRole('link', { name: /^Download/ })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    return readFile(await download.path())
  }

  describe('conversion in the browser', () => {
    test('images become other formats and PDF with the same pixels, and nothing is sent', async () => {
      const { page, context, complaints } = await open()
      const sent: string[] = []
      // The only requests are for the program itself.
      const isProgram = (method: string, url: string) =>
        method === 'GET' && url.startsWith(`${site.origin}/assets/`)
      context.on('request', (request) => {
        const [method, url] = [request.method(), request.url()]
        if (!url.startsWith('blob:') && !isProgram(method, url)) sent.push(`${method} ${url}`)
      })
      const image = quarteredImage()
      const targets = ['jpg', 'webp', 'bmp', 'ico', 'pdf']
      const sources = { 'a.svg': svg, 'a.gif': gif, 'a.avif': avif }
      await chooseFiles(page, [
        ...targets.map((to) => file(`to ${to}.png`, image)),
        ...Object.entries(sources).map(([name, content]) => file(name, content)),
      ])
      for (const to of targets) await chooseTarget(page, `to ${to}.png`, to)
      for (const name of Object.keys(sources)) await chooseTarget(page, name, 'png')
      await row(page, 'a.svg').getByText('PNG (stays on your computer)').waitFor({ state: 'attached' })
      await convert(page)
      await page.getByText(`${targets.length + 3} converted.`).waitFor({ state: 'attached' })
      await row(page, 'a.svg').getByText('The file stayed on your computer.').waitFor()

      const made = new Map<string, Buffer>()
      for (const to of targets) made.set(to, await resultOf(page, `to ${to}.png`))
      const bytesOf = (to: string) => made.get(to) as Buffer
      expectColours(await coloursOf(page, bytesOf('jpg')), [red, blue, white, white])
      for (const to of ['webp', 'bmp', 'ico']) expectColours(await coloursOf(page, bytesOf(to)), quarters)
      for (const name of Object.keys(sources)) {
        const result = await resultOf(page, name)
        expect(result.subarray(1, 4).toString()).toBe('PNG')
        expectColours(await coloursOf(page, result), [red, red, red, red])
      }
      expect(bytesOf('pdf').subarray(0, 5).toString()).toBe('%PDF-')
      await row(page, 'to pdf.png')
        .getByRole('button', { name: /^Preview/ })
        .click()
      await page.getByRole('img', { name: 'Page 1 of 1' }).waitFor()
      const drawn = `(() => { const c = document.querySelector('canvas'), d = c.getContext('2d');
        const at = (x, y) => [...d.getImageData(x * c.width, y * c.height, 1, 1).data];
        return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)] })()`
      await expect.poll(async () => page.evaluate(drawn)).toEqual([red, blue, white, white])
      expect(sent).toEqual([])
      expect(complaints).toEqual([])

      // And back: what was written is read as PNG again.
      const written = ['jpg', 'webp', 'bmp', 'ico']
      await chooseFiles(
        page,
        written.map((from) => file(`back.${from}`, bytesOf(from))),
      )
      for (const from of written) await chooseTarget(page, `back.${from}`, 'png')
      await convert(page)
      await page.getByText(`${targets.length + 3 + written.length} converted.`).waitFor({ state: 'attached' })
      expectColours(await coloursOf(page, await resultOf(page, 'back.jpg')), [red, blue, white, white])
      for (const from of ['webp', 'bmp', 'ico'])
        expectColours(await coloursOf(page, await resultOf(page, `back.${from}`)), quarters)
      expect(sent).toEqual([])
    })

    test('a huge image and damaged files end with an error that says what to do', async () => {
      const { page } = await open()
      const image = quarteredImage()
      await chooseFiles(page, [
        file('huge.png', png(60_000, 60_000, Buffer.alloc(1000))),
        file('huge.svg', Buffer.from(svg.toString().replaceAll('"64"', '"60000"'))),
        file('no image.png', Buffer.from('no image')),
        file('cut off.png', image.subarray(0, 40)),
        file('good.png', image),
      ])
      await convert(page)
      const errorOf = (name: string) => row(page, name).getByRole('alert').textContent()
      for (const name of ['huge.png', 'huge.svg'])
        expect(await errorOf(name)).toMatch(/60,000 × 60,000 pixels.*100 million.*Make the image smaller/)
      for (const name of ['no image.png', 'cut off.png'])
        expect(await errorOf(name)).toMatch(/cannot read the file as png.*save it again/)
      // The page goes on.
      await row(page, 'good.png')
        .getByRole('link', { name: /^Download/ })
        .waitFor()
    })

    test('a conversion that is removed while it waits leaves the others alone', async () => {
      const { page, complaints } = await open()
      const names = ['one.png', 'two.png', 'three.png']
      await chooseFiles(
        page,
        names.map((name) => file(name, quarteredImage())),
      )
      // In one task of the page, so that none has ended.
      await page.evaluate(`(() => {
        const button = (label) => [...document.querySelectorAll('button')].find((each) =>
          (each.getAttribute('aria-label') ?? each.textContent).startsWith(label))
        button('Convert 3 files').click()
        button('Remove two.png').click()
      })()`)
      await page.getByText('2 files. 2 converted.').waitFor({ state: 'attached' })
      expect(complaints).toEqual([])
    })
  })
}

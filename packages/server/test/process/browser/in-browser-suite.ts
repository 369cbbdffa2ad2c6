import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pdfText } from '@kiln/test-support/pdf-facts.ts'
import { onePage } from '@kiln/test-support/pdf-file.ts'
import { blue, type Colour, png, quarteredImage, quarters, red, white } from '@kiln/test-support/png.ts'
import { unzip, zip } from '@kiln/test-support/zip.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Site } from './pages.ts'
import { acceptInvitation, chooseFiles, invitation, row, type TestFile } from './web-app.ts'

// Conversions that run in the browser (packages/browser), through the web app.

const file = (name: string, buffer: Buffer): TestFile => ({ name, mimeType: '', buffer })

async function wordsOf(pdf: Buffer): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-merged-'))
  try {
    await writeFile(join(folder, 'a.pdf'), pdf)
    return (await pdfText(join(folder, 'a.pdf'))).split(/\s+/).filter(Boolean)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A quarter of a second. */
function silence(): Buffer {
  const [rate, bytes] = [48_000, 24_000]
  const header = Buffer.alloc(44)
  header.write('RIFF')
  header.writeUInt32LE(36 + bytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(2 * rate, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(bytes, 40)
  return Buffer.concat([header, Buffer.alloc(bytes)])
}

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
    test('images, sound and archives are converted with the same content, and nothing is sent', {
      tags: 'slow',
    }, async () => {
      const { page, context, complaints } = await open()
      const sent: string[] = []
      // The only requests are for the program itself.
      const isProgram = (method: string, url: string) =>
        method === 'GET' && url.startsWith(`${site.origin}/assets/`)
      context.on('request', (request) => {
        const [method, url] = [request.method(), request.url()]
        if (!url.startsWith('blob:') && !isProgram(method, url)) sent.push(`${method} ${url}`)
      })
      const orders = { 'a.png': 'avif', 'b.png': 'pdf', 'c.wav': 'mp3', 'd.zip': '7z' }
      await chooseFiles(page, [
        file('a.png', quarteredImage()),
        file('b.png', quarteredImage()),
        file('c.wav', silence()),
        file('d.zip', zip([{ name: 'clay.txt', content: 'Fired clay' }])),
      ])
      for (const [name, to] of Object.entries(orders)) await chooseTarget(page, name, to)
      await row(page, 'c.wav').getByText('MP3 (stays on your computer)').waitFor({ state: 'attached' })
      await convert(page)
      await page.getByText('4 converted.').waitFor({ state: 'attached' })
      await row(page, 'c.wav').getByText('The file stayed on your computer.').waitFor()
      expectColours(await coloursOf(page, await resultOf(page, 'a.png')), quarters)
      expect((await resultOf(page, 'c.wav'))[0]).toBe(0xff)
      expect((await resultOf(page, 'd.zip')).subarray(0, 2).toString()).toBe('7z')
      await row(page, 'b.png')
        .getByRole('button', { name: /^Preview/ })
        .click()
      await page.getByRole('img', { name: 'Page 1 of 1' }).waitFor()
      const drawn = `(() => { const c = document.querySelector('canvas'), d = c.getContext('2d');
        const at = (x, y) => [...d.getImageData(x * c.width, y * c.height, 1, 1).data];
        return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)] })()`
      await expect.poll(async () => page.evaluate(drawn)).toEqual([red, blue, white, white])
      expect(sent).toEqual([])
      expect(complaints).toEqual([])
    })

    test('PDFs are merged; pages are chosen and rotated, and come one by one', { tags: 'slow' }, async () => {
      const { page, complaints } = await open()
      const pdf = (word: string) => onePage(`BT /F1 12 Tf 72 72 Td (${word}) Tj ET`)
      await chooseFiles(page, [file('one.pdf', pdf('one')), file('two.pdf', pdf('two'))])
      expect(await page.getByRole('button', { name: 'Move up one.pdf' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Move up two.pdf' }).click()
      expect(await page.locator('.file-name h2').allTextContents()).toEqual(['two.pdf', 'one.pdf'])
      await page.getByRole('button', { name: 'Merge 2 PDFs' }).click()
      await page.getByText('1 file. 1 converted.').waitFor({ state: 'attached' })
      const merged = await resultOf(page, 'merged.pdf')
      expect(await wordsOf(merged)).toEqual(['two', 'one'])
      await page.getByRole('button', { name: 'Remove merged.pdf' }).click()

      await chooseFiles(page, [file('both.pdf', merged), file('each.pdf', merged)])
      for (const name of ['both.pdf', 'each.pdf']) await chooseTarget(page, name, 'pdf')
      const options = (name: string) => page.getByRole('button', { name: `Options of ${name}` })
      await options('both.pdf').click()
      await row(page, 'both.pdf').getByLabel('Pages').fill('7')
      await row(page, 'both.pdf').getByLabel('Rotate').selectOption('90')
      await options('each.pdf').click()
      await row(page, 'each.pdf').getByLabel('One file per page').selectOption('true')
      await convert(page)
      const alert = row(page, 'both.pdf').getByRole('alert')
      expect(await alert.textContent()).toMatch(/“7” is not in this PDF.*1 to 2.*under Options/)
      // The form is still open.
      await row(page, 'both.pdf').getByLabel('Pages').fill('2')
      await row(page, 'both.pdf')
        .getByRole('button', { name: /^Try again/ })
        .click()
      const turned = (await resultOf(page, 'both.pdf')).toString('latin1')
      expect(turned).toContain('/Rotate 90')
      expect(turned.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
      const link = row(page, 'each.pdf').getByRole('link', { name: 'Download each.zip' })
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
      expect([...unzip(await readFile(await download.path())).keys()]).toEqual(['page 1.pdf', 'page 2.pdf'])
      expect(complaints).toEqual([])
    })

    test('a huge image and damaged files end with an error that says what to do', {
      tags: 'slow',
    }, async () => {
      const { page } = await open()
      const image = quarteredImage()
      await chooseFiles(page, [
        file('huge.png', png(60_000, 60_000, Buffer.alloc(1000))),
        file('bomb.zip', zip([{ name: 'zeros', content: '', claimedSize: 2 ** 31 }])),
        file('no image.png', Buffer.from('no image')),
        file('cut off.png', image.subarray(0, 40)),
        file('good.png', image),
      ])
      await convert(page)
      const errorOf = (name: string) => row(page, name).getByRole('alert').textContent()
      expect(await errorOf('huge.png')).toMatch(/60,000 × 60,000 pixels.*100 million.*Make the file smaller/)
      expect(await errorOf('bomb.zip')).toMatch(/more than 512 MB/)
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

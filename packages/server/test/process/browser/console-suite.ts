import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { convertByApi, expectNoSidewaysScroll, password, type Site, signIn } from './pages.ts'

// The text on a canvas cannot be read back, so it is recorded when it is drawn.
const noteDrawnTexts = `{
  const { fillText } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.fillText = function (text, ...where) {
    ;(this.canvas.drawn ??= []).push(text)
    return fillText.call(this, text, ...where)
  }
}`

export function testConsole(site: Site): void {
  const picture = (page: Page) =>
    page
      .locator('canvas')
      .first()
      .evaluate((canvas) => (canvas as unknown as { toDataURL(): string }).toDataURL())
  /** The selects of a filter hold words too, which are not seen. */
  const seen = (page: Page, word: string) => page.getByText(word).filter({ visible: true }).first()
  const figure = (page: Page, name: string) =>
    page.locator('.figure', { hasText: name }).locator('.value').textContent()

  describe('the console', () => {
    test('the overview moves while jobs run', async () => {
      const { page, complaints } = await site.signedIn()
      await page.getByText('Storage and retention').waitFor()
      await expect.poll(() => page.locator('canvas').count()).toBe(3)
      const before = {
        picture: await picture(page),
        done: Number(await figure(page, 'Done in the last hour')),
      }
      for (let n = 0; n < 3; n++) await convertByApi(site, `# Number ${n}\n`)
      await expect.poll(() => figure(page, 'Conversions per minute'), { timeout: 10_000 }).not.toBe('0')
      await expect
        .poll(async () => Number(await figure(page, 'Done in the last hour')), { timeout: 20_000 })
        .toBe(before.done + 3)
      await expect.poll(() => picture(page), { timeout: 10_000 }).not.toBe(before.picture)
      await page.getByRole('link', { name: 'md-to-html' }).first().waitFor()
      for (const period of ['Day', 'Month']) {
        await page.getByText(period, { exact: true }).click()
        await expect
          .poll(() => page.getByLabel(/^Conversions: \d+ done/).getAttribute('aria-label'))
          .toMatch(/: [1-9]\d* done/)
      }
      // The engines of this machine, and its sandbox.
      await page.getByText(/sandbox (bubblewrap|landlock)/).waitFor()
      await page.getByText('pandoc', { exact: false }).first().waitFor({ timeout: 20_000 })
      expect(complaints).toEqual([])
    })

    test('the axis of a chart of counts has whole numbers', { tags: 'slow' }, async () => {
      const { page } = await site.open()
      await page.addInitScript(noteDrawnTexts)
      await page.route('**/console/api/charts?*', async (route) => {
        const answer = await route.fetch()
        const charts = (await answer.json()) as { now: string; span: number }
        const start = new Date(Math.floor(Date.parse(charts.now) / 1000 / charts.span) * charts.span * 1000)
        const one = { start, done: 1, failed: 0, p50: 1, p95: 1, wait: 1, longestWait: 1 }
        await route.fulfill({ response: answer, json: { ...charts, points: [one] } })
      })
      await page.goto(`${site.origin}/console`)
      await signIn(page, password)
      const numbers = () =>
        page
          .locator('canvas')
          .first()
          .evaluate((canvas) => (canvas as unknown as { drawn?: string[] }).drawn ?? [])
          .then((drawn) => drawn.filter((text) => /^[\d.,]+$/.test(text)))
      await expect.poll(numbers, { timeout: 20_000 }).toContain('1')
      expect(new Set(await numbers())).toEqual(new Set(['0', '1']))
    })

    test('the record of a job says nothing of its content', async () => {
      await convertByApi(site, '# Fired clay\n')
      const { page } = await site.signedIn()
      await page.goto(`${site.origin}/console/jobs`)
      await page.locator('.jobs a.mono').first().click()
      await page.getByText('1 attempt.').waitFor()
      expect(await page.content()).not.toContain('clay')
    })
    test('is readable on a phone', { tags: 'slow' }, async () => {
      const { page } = await site.signedIn({ viewport: { width: 390, height: 844 } })
      for (const [path, word] of [
        ['/console', 'Storage and retention'],
        ['/console/jobs', 'md-to-html'],
        ['/console/accounts', 'Browser tests'],
      ] as const) {
        await page.goto(site.origin + path)
        await seen(page, word).waitFor()
        await expectNoSidewaysScroll(page)
      }
    })
  })
}

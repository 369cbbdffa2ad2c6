import { describe, expect, test } from 'vitest'
import type { Site } from './pages.ts'
import { row, textFile } from './web-app.ts'
import { converted, type WebAppUser } from './web-app-user.ts'

export function testAccessibility(site: Site, user: WebAppUser): void {
  describe('the pages of the web app', () => {
    test('works with the keyboard alone', { tags: 'slow' }, async () => {
      const { page } = await user.open()
      const press = async (name: RegExp) => {
        for (let steps = 0; steps < 30; steps++) {
          await page.keyboard.press('Tab')
          const text = await page.evaluate('document.activeElement?.textContent ?? ""')
          if (name.test(String(text))) return page.keyboard.press('Enter')
        }
        throw new Error(`${name} cannot be reached`)
      }
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(/^Choose files/)])
      await chooser.setFiles([textFile('keys.md', '# Keys')])
      await row(page, 'keys.md').waitFor()
      await press(/^Convert the file/)
      await converted(page, 'keys.md')
    })

    test('loads little, and is ready soon', async () => {
      const { page } = await site.open(user.session())
      let bytes = 0
      page.on('response', async (response) => {
        bytes += (await response.body().catch(() => Buffer.alloc(0))).length
      })
      const session = await page.context().newCDPSession(page)
      await session.send('Performance.enable')
      const busySeconds = async () => {
        const { metrics } = await session.send('Performance.getMetrics')
        return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.POSITIVE_INFINITY
      }
      await page.goto(site.origin)
      await page.getByRole('button', { name: 'Choose files' }).waitFor()
      // Processor time of the page, by the speed of the machine: the loop takes about a tenth of a second.
      const seconds = await busySeconds()
      await page.evaluate(() => {
        let sum = 0
        for (let number = 0; number < 3e7; number++) sum += number % 7
        return sum
      })
      expect(seconds).toBeLessThan(10 * ((await busySeconds()) - seconds))
      await page.waitForLoadState('networkidle')
      expect(bytes).toBeGreaterThan(10_000)
      expect(bytes).toBeLessThan(150_000)
    })
  })
}

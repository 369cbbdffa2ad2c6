import { describe, expect, test } from 'vitest'
import { anyImpact, axeFaults, expectNoSidewaysScroll, type Site } from './pages.ts'
import { chooseFiles, invitation, row, textFile } from './web-app.ts'
import { convertButton, converted, type WebAppUser } from './web-app-user.ts'

export function testAccessibility(site: Site, user: WebAppUser): void {
  describe('the pages of the web app', () => {
    test('works with the keyboard alone', async () => {
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
      await page.goto(site.origin)
      await page.getByRole('button', { name: 'Choose files' }).waitFor()
      const { metrics } = await session.send('Performance.getMetrics')
      // Processor time of the page: the machine may be busy with other tests.
      expect(metrics.find(({ name }) => name === 'TaskDuration')?.value).toBeLessThan(1)
      await page.waitForLoadState('networkidle')
      expect(bytes).toBeGreaterThan(10_000)
      expect(bytes).toBeLessThan(150_000)
    })

    const widths = [
      { width: 1280, height: 900 },
      { width: 820, height: 1180 },
      { width: 390, height: 844 },
    ]
    test.each(['light', 'dark'] as const)('axe finds nothing, %s, at three widths', async (colorScheme) => {
      const { page } = await user.open({ colorScheme })
      await chooseFiles(page, [
        textFile('a long name of a file that has to be cut somewhere.md', '# A'),
        { name: 'broken.docx', mimeType: '', buffer: Buffer.from('no document') },
        { name: 'thing.xyz', mimeType: '', buffer: Buffer.from('x') },
      ])
      await page.getByRole('button', { name: /^Options of a long/ }).click()
      await page.getByLabel('Paper size').waitFor()
      const check = async () => {
        for (const viewport of widths) {
          await page.setViewportSize(viewport)
          expect(await axeFaults(page, anyImpact, colorScheme)).toEqual([])
          await expectNoSidewaysScroll(page)
        }
      }
      await check()
      await convertButton(page).click()
      await page.getByRole('link', { name: /^Download/ }).waitFor({ timeout: 60_000 })
      await page.getByRole('alert').waitFor({ timeout: 60_000 })
      await page.getByRole('button', { name: /^Preview/ }).click()
      await page.getByRole('img', { name: /^Page 1/ }).waitFor({ timeout: 60_000 })
      await check()
      await page.goto(`${site.origin}/account`)
      await page.getByText('kiln_live_').first().waitFor()
      await check()
      await page.goto(`${site.origin}/sign-in`)
      await page.getByLabel('User name').waitFor()
      await check()
      await page.goto(await invitation(site))
      await page.getByLabel('User name').waitFor()
      await check()
    })
  })
}

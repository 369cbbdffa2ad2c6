import { readFile } from 'node:fs/promises'
import { docx } from '@kiln/test-support/documents.ts'
import { describe, expect, test } from 'vitest'
import type { Site } from './pages.ts'
import { chooseFiles, row, type TestFile, textFile } from './web-app.ts'
import { convertButton, converted, jobsOf, largeDocument, type WebAppUser } from './web-app-user.ts'

export function testConversion(site: Site, user: WebAppUser): void {
  describe('the web app', () => {
    test('converts a file: options with labels, progress, preview, a download with its name', async () => {
      const { page, complaints } = await user.open()
      await chooseFiles(page, [textFile('Résumé 2026.md', '# Clay\n\n## Fire\n\n*text*')])
      await row(page, 'Résumé 2026.md').getByLabel(/to$/).selectOption('html')
      await page.getByRole('button', { name: /^Options/ }).click()
      await page.getByLabel('Numbered headings').selectOption({ label: 'Yes' })
      await convertButton(page).click()
      await converted(page, 'Résumé 2026.md')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: /^Download/ }).click(),
      ])
      expect(download.suggestedFilename()).toBe('Résumé 2026.html')
      expect(await readFile(await download.path(), 'utf8')).toContain('header-section-number')
      // No key and no session can be read by a script.
      expect(await page.evaluate('document.cookie')).toBe('')
      expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('kiln_live')
      expect(complaints).toEqual([])
    })

    test('shows PDF pages, Markdown and what was lost', async () => {
      const { page, complaints } = await user.open()
      const text = docx('First page', 'Second paragraph')
      const file: TestFile = { name: 'letter.docx', mimeType: '', buffer: text }
      await chooseFiles(page, [file, { ...file, name: 'copy.docx' }])
      await row(page, 'copy.docx').getByLabel(/to$/).selectOption('md')
      await convertButton(page).click()
      await converted(page, 'letter.docx')
      await row(page, 'letter.docx')
        .getByRole('button', { name: /^Preview/ })
        .click()
      await page.getByRole('img', { name: 'Page 1 of 1' }).waitFor({ timeout: 60_000 })
      // Ink: not every pixel of the page is white.
      const isDrawn = `(() => { const c = document.querySelector('canvas');
        return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v < 128) })()`
      expect(await page.evaluate(isDrawn)).toBe(true)
      await converted(page, 'copy.docx')
      await row(page, 'copy.docx')
        .getByRole('button', { name: /^Preview/ })
        .click()
      await page.getByRole('article').getByText('Second paragraph').waitFor()
      expect(complaints).toEqual([])
    })

    test('keeps files that are chosen before the list of formats is loaded', async () => {
      const { page } = await site.open(user.session())
      const { promise: chosen, resolve: goOn } = Promise.withResolvers<void>()
      await page.route('**/app/api/formats', async (route) => {
        await chosen
        await route.continue()
      })
      await page.goto(site.origin)
      await chooseFiles(page, [textFile('early.md', '# Early')])
      goOn()
      await row(page, 'early.md').waitFor()
    })

    test('says what to do about files that fail, and about those that it does not know', async () => {
      const { page } = await user.open()
      await chooseFiles(page, [
        { name: 'broken.docx', mimeType: '', buffer: Buffer.from('no document') },
        { name: 'thing.xyz', mimeType: '', buffer: Buffer.from('x') },
      ])
      await row(page, 'thing.xyz').getByText('.xyz files cannot be converted here').waitFor()
      await page.getByRole('button', { name: 'Convert the file' }).click()
      const alert = row(page, 'broken.docx').getByRole('alert')
      await alert.waitFor({ timeout: 60_000 })
      expect(await alert.textContent()).toMatch(/ending of the file name.*not charged/)
      await row(page, 'broken.docx')
        .getByRole('button', { name: /^Try again/ })
        .waitFor()
    })
  })

  describe('a conversion in the web app', () => {
    test('goes on by itself after the connection was lost midway, as one job', { tags: 'slow' }, async () => {
      const { page, context, proxy } = await user.openThroughProxy()
      const before = await jobsOf(page)
      await chooseFiles(page, [largeDocument('long.docx', docx('Long'), 3)])
      await context.setOffline(true)
      await convertButton(page).click()
      await page.getByText('No connection.').waitFor()
      proxy.cutNextUpload()
      await context.setOffline(false)
      await expect.poll(proxy.cuts).toBe(1)
      await converted(page, 'long.docx')
      expect(await jobsOf(page)).toBe(before + 1)
    })

    test('does not lose a job when the page is closed, nor charge twice for an upload that was cut off', {
      tags: 'slow',
    }, async () => {
      const { page, context, proxy } = await user.openThroughProxy()
      const before = await jobsOf(page)
      proxy.holdNextUpload()
      const file = largeDocument('cut off.docx', docx('Cut off'), 3)
      await chooseFiles(page, [file])
      await convertButton(page).click()
      await expect.poll(proxy.holds).toBe(1)
      await page.close()
      const later = await context.newPage()
      await later.goto(proxy.origin)
      await row(later, 'cut off.docx').getByText('choose the same file again').waitFor()
      await chooseFiles(later, [file])
      await converted(later, 'cut off.docx')
      expect(await jobsOf(later)).toBe(before + 1)
      await later.close()
      // A finished job is still there.
      const last = await context.newPage()
      await last.goto(proxy.origin)
      await converted(last, 'cut off.docx')
    })

    test('shows the same jobs in two tabs', { tags: 'slow' }, async () => {
      const { page, context } = await user.open()
      const other = await context.newPage()
      await other.goto(site.origin)
      await other.getByRole('heading', { name: 'Convert files' }).waitFor()
      await chooseFiles(page, [textFile('shared.md', '# Shared')])
      await convertButton(page).click()
      await Promise.all([converted(page, 'shared.md'), converted(other, 'shared.md')])
      await other.getByRole('button', { name: 'Remove shared.md' }).click()
      await other.reload()
      await other.getByText('Drop files or a folder here').waitFor()
      expect(await row(other, 'shared.md').count()).toBe(0)
    })
  })
}

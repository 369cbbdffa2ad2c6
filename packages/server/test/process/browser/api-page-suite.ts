import { describe, expect, test } from 'vitest'
import type { Site } from './pages.ts'

export function testApiPage(site: Site): void {
  describe('the API reference', () => {
    test('converts the sample and a chosen file with an own key, which it does not store', async () => {
      const { page, context, complaints } = await site.open()
      await page.goto(`${site.origin}/api/docs`)
      await page.getByLabel('API key').fill(site.key)
      await page.getByRole('button', { name: 'Convert', exact: true }).click()
      const link = page.getByRole('link', { name: 'Download the output' })
      await link.waitFor()
      const sample = await context.request.get(String(await link.getAttribute('href')))
      expect(await sample.text()).toContain('<em>Markdown</em>')
      expect(await page.locator('#exchange').textContent()).toContain('PUT uploadUrl: 200')

      const buffer = Buffer.from('# One\n\n## Two\n\nText of a file.\n')
      await page.getByLabel('File', { exact: true }).setInputFiles({
        name: 'a.md',
        mimeType: 'text/markdown',
        buffer,
      })
      await page.getByRole('button', { name: 'Numbered headings' }).click()
      expect(JSON.parse(await page.getByLabel('Options, as JSON').inputValue())).toEqual({
        numberSections: true,
      })
      await page.getByRole('button', { name: 'Convert', exact: true }).click()
      await link.waitFor()
      const own = await (await context.request.get(String(await link.getAttribute('href')))).text()
      expect(own).toContain('Text of a file.')
      expect(own).toContain('1.1')

      expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0)
      expect(await context.cookies()).toEqual([])
      expect(complaints).toEqual([])
    })

    test('shows what went wrong: a wrong key, options that are not JSON', { tags: 'slow' }, async () => {
      const { page } = await site.open()
      await page.goto(`${site.origin}/api/docs`)
      await page.getByLabel('API key').fill(`kiln_live_${'0'.repeat(38)}`)
      await page.getByRole('button', { name: 'Convert', exact: true }).click()
      await page.locator('#exchange .notice').waitFor()
      expect(await page.locator('#exchange').textContent()).toContain('"code": "unauthenticated"')
      await page.getByLabel('Options, as JSON').fill('{')
      await page.getByRole('button', { name: 'Convert', exact: true }).click()
      await page.getByText('The options are not JSON').waitFor()
    })

    test('switches the language of the code by keyboard and finds a pair', { tags: 'slow' }, async () => {
      const { page } = await site.open()
      await page.goto(`${site.origin}/api/docs`)
      expect(await page.locator('#steps pre:visible').allTextContents()).toHaveLength(3)
      await page.getByRole('radio', { name: 'curl' }).focus()
      await page.keyboard.press('ArrowRight')
      const code = await page.locator('#steps pre:visible').allTextContents()
      expect(code.join('\n')).toContain('await kiln.upload(job, file)')
      expect(code).toHaveLength(3)
      await page.getByLabel('Find a pair').fill('docx pdf')
      expect(await page.locator('#groups code[data-pair]:visible').allTextContents()).toEqual([
        'docx-to-pdf',
        'pdf-to-docx',
      ])
    })
  })
}

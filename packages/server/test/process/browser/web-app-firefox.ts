import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { docx } from '@kiln/test-support/documents.ts'
import { type Firefox, startFirefox } from '@kiln/test-support/firefox.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Site } from './pages.ts'
import { invitation, userPassword } from './web-app.ts'

export function testWebAppInFirefox(site: Site): void {
  let firefox: Firefox
  beforeAll(async () => {
    firefox = await startFirefox()
  })
  afterAll(() => firefox?.close())

  describe('the web app in Firefox ESR', () => {
    test('from the invitation to a preview of the converted file', async () => {
      const { page } = firefox
      const button = (text: string) =>
        `[...document.querySelectorAll('button')].find((each) => each.textContent.startsWith('${text}'))`
      await page.goto(await invitation(site))
      await page.until("document.querySelector('input[name=password]') !== null")
      await page.evaluate(`document.querySelector('input[name=name]').value = 'fox';
        document.querySelector('input[name=password]').value = '${userPassword}'; ${button('Start')}.click()`)
      await page.until(`${button('Choose files')} !== undefined`)
      const path = join(site.folder, 'firefox.docx')
      await writeFile(path, docx('Read in Firefox'))
      await page.setFiles('input[type=file][multiple]', [path])
      await page.until(`${button('Convert the file')} !== undefined`)
      await page.evaluate(`${button('Convert the file')}.click()`)
      await page.until("document.querySelector('a[download]') !== null")
      expect(await page.evaluate("document.querySelector('a[download]').download")).toBe('firefox.pdf')
      const head =
        "fetch(document.querySelector('a[download]').href).then((r) => r.text()).then((t) => t.slice(0, 5))"
      expect(await page.evaluate(head)).toBe('%PDF-')
      await page.evaluate(`${button('Preview')}.click()`)
      await page.until("document.querySelector('canvas') !== null")
      const isDrawn = `(() => { const c = document.querySelector('canvas');
        return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v < 128) })()`
      await page.until(isDrawn)
      expect(await page.evaluate('document.cookie')).toBe('')
    })
  })
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { convertByApi, type Site, seriousFaults } from './pages.ts'

export function testAccounts(site: Site): void {
  describe('an account in the console', () => {
    test('an account, its key made and revoked, credits granted', async () => {
      const { page } = await site.signedIn()
      const usage = (key: string) =>
        fetch(`${site.origin}/api/v1/usage`, { headers: { authorization: `Bearer ${key}` } }).then(
          ({ status }) => status,
        )
      await page.getByRole('link', { name: 'Accounts', exact: true }).click()
      await page.getByRole('button', { name: 'New account' }).click()
      await page.getByLabel('Name').fill('Potters')
      await page.getByRole('button', { name: 'Create account and key' }).click()
      await page.getByText('It is shown only once').waitFor()
      await page.getByRole('button', { name: 'I have saved it' }).click()
      await page.getByRole('heading', { name: 'Potters' }).waitFor()

      await page.getByRole('button', { name: 'New key' }).click()
      const key = String(await page.locator('.secret code').textContent())
      expect(await usage(key)).toBe(200)
      await page.getByRole('button', { name: 'I have saved it' }).click()
      await expect.poll(() => page.getByText(key).count()).toBe(0)
      await page.getByRole('button', { name: `Revoke kiln_live_…${key.slice(-4)}` }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await expect.poll(() => usage(key)).toBe(401)
      await page.getByText('ended', { exact: true }).waitFor()

      await page.getByLabel('Credits').fill('250')
      await page.getByLabel('Reason, for the ledger').fill('paid')
      await page.getByRole('button', { name: 'Grant' }).click()
      await page.getByText('The account now has 250 credits.').waitFor()
      await page.getByRole('cell', { name: '+250' }).waitFor()
    })

    test('a webhook is set, called for a job, refused, sent to again, rotated and removed', {
      tags: 'slow',
    }, async () => {
      const events: string[] = []
      let status = 503
      const receiver = createServer((request, response) => {
        events.push(String(request.headers['webhook-id']))
        request.resume()
        response.writeHead(status).end(status === 503 ? '<b>closed</b> today' : 'thanks')
      }).listen(0, '127.0.0.1')
      await once(receiver, 'listening')
      const { page, complaints } = await site.signedIn()
      await page.goto(`${site.origin}/console/accounts`)
      await page.getByRole('link', { name: 'Browser tests' }).click()
      const address = page.getByLabel('Events are sent to')
      await address.fill('ftp://example.com')
      await page.getByRole('button', { name: 'Set webhook' }).click()
      await page.getByText('The address must be a URL').waitFor()
      await address.fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`)
      await page.getByRole('button', { name: 'Set webhook' }).click()
      const shown = page.locator('.secret code')
      const secret = String(await shown.textContent())
      expect(secret).toMatch(/^whsec_/)
      await page.getByRole('button', { name: 'I have saved it' }).click()
      await expect.poll(() => page.getByText(secret).count()).toBe(0)

      await convertByApi(site, '# Told\n')
      // The response is shown as text, not as HTML.
      await page.getByText(/503 in .*: <b>closed<\/b> today/).waitFor()
      await page.getByText('waiting', { exact: true }).waitFor()
      expect(await seriousFaults(page)).toEqual([])
      status = 200
      await page.getByRole('button', { name: /^Send again/ }).click()
      await page.getByText('delivered', { exact: true }).waitFor()
      await page.getByText(/200 in .*: thanks/).waitFor()
      expect(new Set(events).size).toBe(1)

      await page.getByRole('button', { name: 'Rotate secret' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
      await shown.waitFor()
      expect(await shown.textContent()).not.toBe(secret)
      await page.getByRole('button', { name: 'I have saved it' }).click()
      await page.getByText('The previous secret also signs until').waitFor()
      await page.getByRole('button', { name: 'Remove webhook' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('button', { name: 'Set webhook' }).waitFor()
      expect(complaints).toEqual([])
      receiver.close()
    })

    test('a house style is set, refused and removed', { tags: 'slow' }, async () => {
      const { page, complaints } = await site.signedIn()
      await page.goto(`${site.origin}/console/accounts`)
      await page.getByRole('link', { name: 'Browser tests' }).click()
      const choose = (text: string) =>
        page
          .getByLabel('Style sheet')
          .setInputFiles({ name: 'house.css', mimeType: 'text/css', buffer: Buffer.from(text) })
      await choose('h1 { color: #7a1f1f }')
      await page.getByText('21 B set.').waitFor()
      expect(await seriousFaults(page)).toEqual([])
      expect(complaints).toEqual([])
      // The file is refused, and the previous style sheet stays.
      await choose('p { color: red }</style>')
      await page.getByText('A style sheet must not hold').waitFor()
      await page.getByText('21 B set.').waitFor()
      await page.getByRole('button', { name: 'Remove Style sheet' }).click()
      await expect.poll(() => page.getByText('None is set.').count()).toBe(2)
    })
  })
}

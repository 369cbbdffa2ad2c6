import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { password, type Site, signIn } from './pages.ts'

export function testSignIn(site: Site): void {
  async function onDatabase(text: string): Promise<void> {
    const client = new pg.Client({ connectionString: site.database })
    await client.connect()
    await client.query(text)
    await client.end()
  }

  describe('signing in', () => {
    test('a wrong password is said to be wrong; the right one opens the overview; signing out closes it', async () => {
      const { page, complaints } = await site.open()
      await page.goto(`${site.origin}/console`)
      await signIn(page, 'not the password')
      await page.getByText('This is not the password.').waitFor()
      await signIn(page, password)
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      // No script can read the session.
      expect(await page.evaluate('document.cookie')).toBe('')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByLabel('Operator password').waitFor()
      await page.reload()
      await page.getByLabel('Operator password').waitFor()
      expect(complaints).toEqual([])
    })

    test('a session that has ended leads back to the sign-in, and on to the same page', {
      tags: 'slow',
    }, async () => {
      const { page } = await site.signedIn()
      // A page without requests to the server, so that only the click below can notice the end of the session.
      await page.goto(`${site.origin}/console/nowhere`)
      await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
      await onDatabase('update operator_sessions set ends_at = now()')
      await page.getByRole('link', { name: 'Jobs', exact: true }).click()
      await page.getByText('Your session has ended').waitFor()
      await signIn(page, password)
      await page.getByRole('heading', { name: 'Jobs' }).waitFor()
    })

    test('a page of another site can do nothing with the session', async () => {
      const { page, context } = await site.signedIn()
      const elsewhere = createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end(`<form method="post" enctype="text/plain" action="${site.origin}/console/api/accounts">
        <input name='{"name":"forged","x":"' value='"}'></form>`)
      }).listen(0, '127.0.0.1')
      await once(elsewhere, 'listening')
      const attack = await context.newPage()
      await attack.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)
      const fetched =
        await attack.evaluate(`fetch('${site.origin}/console/api/accounts', { method: 'POST', mode: 'no-cors',
      credentials: 'include', headers: { 'content-type': 'text/plain' }, body: '{"name":"forged"}' }).then((a) => a.type)`)
      expect(fetched).toBe('opaque')
      const [answer] = await Promise.all([
        attack.waitForResponse((response) => response.url().endsWith('/console/api/accounts')),
        attack.evaluate("document.querySelector('form').submit()"),
      ])
      expect(answer.status()).toBe(403)
      elsewhere.close()
      await page.goto(`${site.origin}/console/accounts?search=forged`)
      await page.getByText('No account has this name').waitFor()
    })
  })
}

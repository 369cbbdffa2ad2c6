import { describe, expect, test } from 'vitest'
import type { Site } from './pages.ts'
import { acceptInvitation, invitation, userPassword } from './web-app.ts'
import type { WebAppUser } from './web-app-user.ts'

export function testAccountPage(site: Site, user: WebAppUser): void {
  describe('the account page', () => {
    test('shows usage, jobs and the ledger; creates and revokes a key', async () => {
      const { page, complaints } = await user.open()
      await page.goto(`${site.origin}/account`)
      await page.getByText('Free conversions left').waitFor()
      await page.getByRole('cell', { name: 'docx to pdf' }).first().waitFor()
      // The size of a result.
      await page
        .locator('td:last-child')
        .filter({ hasText: /^[\d.]+ [KM]?B$/ })
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'New key' }).click()
      const secret = String(await page.locator('.secret code').textContent())
      const usage = () =>
        fetch(`${site.origin}/api/v1/usage`, { headers: { authorization: `Bearer ${secret}` } })
      expect((await usage()).status).toBe(200)
      await page.getByRole('button', { name: 'I have saved it' }).click()
      await page
        .getByRole('button', { name: /^Revoke/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Revoke', exact: true }).last().click()
      await expect.poll(async () => (await usage()).status).toBe(401)
      expect(complaints).toEqual([])
    })
  })
}

export function testWebAppSignIn(site: Site): void {
  describe('signing in to the web app', () => {
    test('with a password; a session that ends leads back to the form', async () => {
      const { page, context } = await site.open()
      await page.goto(`${site.origin}/account`)
      await page.getByLabel('User name').fill('Ada')
      await page.getByLabel('Password').fill('wrong password')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('The user name or the password is wrong.').waitFor()
      await page.getByLabel('Password').fill(userPassword)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('Free conversions left').waitFor()
      await context.clearCookies()
      await page.getByRole('link', { name: 'Convert' }).click()
      await page.getByLabel('User name').waitFor()
    })

    test('with a passkey, also from the invitation on', { tags: 'slow' }, async () => {
      const { page, context } = await site.open()
      const session = await context.newCDPSession(page)
      await session.send('WebAuthn.enable')
      await session.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
        },
      })
      await page.goto(await invitation(site))
      await page.getByLabel('User name').fill('grace')
      await page.getByRole('button', { name: 'Use a passkey instead' }).click()
      await page.getByRole('heading', { name: 'Convert files' }).waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.getByRole('heading', { name: 'Convert files' }).waitFor()
      await page.getByRole('link', { name: 'Account' }).click()
      await page.getByText('Added').waitFor()
      await page.getByRole('button', { name: /^Remove the passkey/ }).click()
      await page.getByText('The passkey is removed.').waitFor()
    })

    test('an invitation works once', async () => {
      const link = await invitation(site)
      const { page } = await site.open()
      await acceptInvitation(page, link, 'hopper')
      await page.goto('about:blank')
      await page.goto(link)
      await page.getByText('was used already or has expired').waitFor()
      // The token does not stay in the address bar.
      expect(page.url()).toBe(`${site.origin}/invitation`)
    })
  })
}

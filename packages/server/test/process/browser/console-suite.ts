import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { endOf } from '../service-process.ts'
import { expectNoSidewaysScroll, password, type Site, seriousFaults, signIn } from './pages.ts'

export function testConsole(site: Site): void {
  async function convertByApi(text: string): Promise<void> {
    const headers = { authorization: `Bearer ${site.key}`, 'content-type': 'application/json' }
    const submitted = await fetch(`${site.origin}/api/v1/conversions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ pair: 'md-to-html', bytes: Buffer.byteLength(text) }),
    })
    const { uploadUrl, pollUrl } = (await submitted.json()) as { uploadUrl: string; pollUrl: string }
    await fetch(uploadUrl, { method: 'PUT', body: text })
    expect((await endOf(site.origin + pollUrl, headers)).status).toBe('done')
  }

  async function onDatabase(text: string): Promise<void> {
    const client = new pg.Client({ connectionString: site.database })
    await client.connect()
    await client.query(text)
    await client.end()
  }

  const picture = (page: Page) =>
    page
      .locator('canvas')
      .first()
      .evaluate((canvas) => (canvas as unknown as { toDataURL(): string }).toDataURL())
  /** The selects of a filter hold words too, which are not seen. */
  const seen = (page: Page, word: string) => page.getByText(word).filter({ visible: true }).first()
  async function openOptions(page: Page): Promise<void> {
    await page.getByLabel('Convert to').selectOption({ label: 'DOCX to PDF' })
    await page.getByText('Options', { exact: true }).click()
    await page.getByLabel('trackedChanges', { exact: true }).waitFor()
  }
  const figure = (page: Page, name: string) =>
    page.locator('.figure', { hasText: name }).locator('.value').textContent()

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

    test('a session that has ended leads back to the sign-in, and on to the same page', async () => {
      const { page } = await site.signedIn()
      await page.getByRole('link', { name: 'Accounts', exact: true }).click()
      await page.getByRole('heading', { name: 'Accounts' }).waitFor()
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
      await page.getByText('No account goes by that name').waitFor()
    })
  })

  describe('the console', () => {
    test('the overview moves while jobs run', async () => {
      const { page, complaints } = await site.signedIn()
      await page.getByText('Storage and retention').waitFor()
      await expect.poll(() => page.locator('canvas').count()).toBe(3)
      const before = {
        picture: await picture(page),
        done: Number(await figure(page, 'Done in the last hour')),
      }
      for (let n = 0; n < 3; n++) await convertByApi(`# Number ${n}\n`)
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
      // The engines of this machine, and its box.
      await page.getByText(/sandbox (bubblewrap|landlock)/).waitFor()
      await page.getByText('pandoc', { exact: false }).first().waitFor({ timeout: 20_000 })
      expect(complaints).toEqual([])
    })

    test('an account, its key made and revoked, credits granted', async () => {
      const { page } = await site.signedIn()
      const usage = (key: string) =>
        fetch(`${site.origin}/api/v1/usage`, { headers: { authorization: `Bearer ${key}` } }).then(
          ({ status }) => status,
        )
      await page.getByRole('link', { name: 'Accounts', exact: true }).click()
      await page.getByRole('button', { name: 'New account' }).click()
      await page.getByLabel('Name').fill('Potters')
      await page.getByRole('button', { name: 'Make account and key' }).click()
      await page.getByText('It is shown this once').waitFor()
      await page.getByRole('button', { name: 'I have kept it' }).click()
      await page.getByRole('heading', { name: 'Potters' }).waitFor()

      await page.getByRole('button', { name: 'New key' }).click()
      const key = String(await page.locator('.secret code').textContent())
      expect(await usage(key)).toBe(200)
      await page.getByRole('button', { name: 'I have kept it' }).click()
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

    test('a webhook is set, told of a job, refused, sent to again, rotated and removed', async () => {
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
      await page.getByRole('button', { name: 'I have kept it' }).click()
      await expect.poll(() => page.getByText(secret).count()).toBe(0)

      await convertByApi('# Told\n')
      // The answer is text, whatever is in it.
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
      await page.getByRole('button', { name: 'I have kept it' }).click()
      await page.getByText('The secret before signs too until').waitFor()
      await page.getByRole('button', { name: 'Remove webhook' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('button', { name: 'Set webhook' }).waitFor()
      expect(complaints).toEqual([])
      receiver.close()
    })

    test('a house style is set, refused and removed', async () => {
      const { page, complaints } = await site.signedIn()
      await page.goto(`${site.origin}/console/accounts`)
      await page.getByRole('link', { name: 'Browser tests' }).click()
      const choose = (text: string) =>
        page
          .getByLabel('Style sheet')
          .setInputFiles({ name: 'house.css', mimeType: 'text/css', buffer: Buffer.from(text) })
      await choose('h1 { color: #7a1f1f }')
      await page.getByText('21 B are set.').waitFor()
      expect(await seriousFaults(page)).toEqual([])
      expect(complaints).toEqual([])
      // Refused, and what was set stays.
      await choose('p { color: red }</style>')
      await page.getByText('A style sheet must not hold').waitFor()
      await page.getByText('21 B are set.').waitFor()
      await page.getByRole('button', { name: 'Remove Style sheet' }).click()
      await expect.poll(() => page.getByText('There is none.').count()).toBe(2)
    })

    test('a file is converted through the server, with no API key in the browser', async () => {
      const { page } = await site.signedIn()
      const withKey: string[] = []
      page.on('request', (request) => {
        if (request.headers().authorization || /kiln_live_/.test(request.postData() ?? ''))
          withKey.push(request.url())
      })
      await page.getByRole('link', { name: 'Try it' }).click()
      await page.locator('input[type=file]').setInputFiles({
        name: 'clay.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from('# Fired *clay*\n'),
      })
      await page.getByLabel('Convert to').selectOption({ label: 'Markdown to HTML' })
      await page.getByText('Options', { exact: true }).click()
      await page.getByLabel('numberSections', { exact: true }).selectOption('true')
      await page.getByRole('button', { name: 'Convert' }).click()
      const link = page.getByRole('link', { name: 'Download' })
      await link.waitFor({ timeout: 30_000 })
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
      const made = await readFile(await download.path(), 'utf8')
      expect(made).toContain('<em>clay</em>')
      expect(made).toContain('<span class="header-section-number">1</span>')
      expect(withKey).toEqual([])

      // A value that the option cannot take is told in the sentence that the API has for it.
      await page.getByLabel('Convert to').selectOption({ label: 'Markdown to PDF' })
      await page.getByText('Options', { exact: true }).click()
      await page.getByLabel('margin', { exact: true }).fill('wide')
      await page.getByRole('button', { name: 'Convert' }).click()
      await page.getByText(/The option `margin` must be a length/).waitFor({ timeout: 30_000 })

      // The job is one like any other; its record says nothing of its content.
      await page
        .locator('.tried')
        .getByRole('link', { name: /^[0-9a-f]{8}$/ })
        .click()
      await page.getByText('Operator console').waitFor()
      await page.getByText('1 attempt.').waitFor()
      expect(await page.content()).not.toContain('clay')

      // A file that is not what it says fails, and says why.
      await page.getByRole('link', { name: 'Try it' }).click()
      await page.locator('input[type=file]').setInputFiles({
        name: 'broken.docx',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from('this is no document'),
      })
      await page.getByRole('button', { name: 'Convert' }).click()
      await page.getByText(/^(wrong-format|corrupt-input): /).waitFor({ timeout: 30_000 })
    })

    test.each(['light', 'dark'] as const)(
      'axe finds no serious fault on any page, %s',
      async (colorScheme) => {
        const { page } = await site.open({ colorScheme })
        await page.goto(`${site.origin}/console`)
        await page.getByLabel('Operator password').waitFor()
        expect(await seriousFaults(page, colorScheme)).toEqual([])
        await signIn(page, password)
        await page.getByText('Storage and retention').waitFor()
        const look = async (where: string) => {
          expect([where, await seriousFaults(page, colorScheme)]).toEqual([where, []])
        }
        await look('overview')
        const visit = async (path: string, word: string) => {
          await page.goto(site.origin + path)
          await seen(page, word).waitFor()
          await look(path)
        }
        await visit('/console/jobs', 'md-to-html')
        await page.locator('.jobs a.mono').first().click()
        await page.getByText('Attempts').waitFor()
        await page.getByRole('heading', { name: 'Report' }).waitFor()
        await look('a job')
        await visit('/console/accounts', 'Browser tests')
        await page.getByRole('link', { name: 'Browser tests' }).click()
        await page.getByRole('heading', { name: 'Ledger' }).waitFor()
        await look('an account')
        await page
          .getByRole('button', { name: /^Rotate/ })
          .first()
          .click()
        await page.getByText('Rotate this key?').waitFor()
        await look('a question')
        await visit('/console/try', 'Drop a file here')
        await openOptions(page)
        await look('the options of a pair')
      },
    )

    test('is readable on a phone', async () => {
      const { page } = await site.signedIn({ viewport: { width: 390, height: 844 } })
      for (const [path, word] of [
        ['/console', 'Storage and retention'],
        ['/console/jobs', 'md-to-html'],
        ['/console/accounts', 'Browser tests'],
        ['/console/try', 'Drop a file here'],
      ] as const) {
        await page.goto(site.origin + path)
        await seen(page, word).waitFor()
        await expectNoSidewaysScroll(page)
      }
      await openOptions(page)
      await expectNoSidewaysScroll(page)
    })
  })
}

import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pptx, textBox } from '@kiln/test-support/deck.ts'
import { docx } from '@kiln/test-support/documents.ts'
import { unzip, zip } from '@kiln/test-support/zip.ts'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { admin } from '../service-process.ts'
import { anyImpact, axeFaults, expectNoSidewaysScroll, type Site } from './pages.ts'
import { startUploadProxy, type UploadProxy } from './upload-proxy.ts'
import {
  acceptInvitation,
  chooseFiles,
  invitation,
  row,
  type TestFile,
  textFile,
  userPassword,
} from './web-app.ts'

type State = Awaited<ReturnType<BrowserContext['storageState']>>

/** A document with a large part that is not read: long to upload, quick to convert. */
const largeDocument = (name: string, document: Buffer, megabytes: number): TestFile => {
  const parts = [...unzip(document)].map(([part, content]) => ({ name: part, content }))
  const filler = { name: 'filler.bin', content: randomBytes(megabytes * 1024 * 1024), stored: true }
  return { name, mimeType: '', buffer: zip([...parts, filler]) }
}

const convertButton = (page: Page) => page.getByRole('button', { name: /^Convert / })

export function testWebApp(site: Site): void {
  let state: State
  /** A page of the user who joined first. */
  const open = async (options = {}) => {
    const opened = await site.open({ storageState: state, ...options })
    await opened.page.goto(site.origin)
    await opened.page.getByRole('heading', { name: 'Convert files' }).waitFor()
    return opened
  }
  const jobsOf = (page: Page): Promise<number> =>
    page.evaluate("fetch('/app/api/account').then((r) => r.json()).then((a) => a.account.jobs)")
  const converted = (page: Page, name: string) =>
    row(page, name)
      .getByRole('link', { name: /^Download/ })
      .waitFor({ timeout: 60_000 })

  const proxies: UploadProxy[] = []
  const openThroughProxy = async () => {
    const proxy = await startUploadProxy(site.origin)
    proxies.push(proxy)
    const opened = await site.open({ storageState: state })
    await opened.page.goto(proxy.origin)
    await opened.page.getByRole('heading', { name: 'Convert files' }).waitFor()
    return { ...opened, proxy }
  }
  afterAll(() => Promise.all(proxies.map((proxy) => proxy.close())))

  beforeAll(async () => {
    const environment = { DATABASE_URL: site.database }
    const grant = ['credits', 'grant', '--account', site.account, '--amount', '1000', '--reason', 'tests']
    await admin(site.folder, environment, ...grant)
    const { page, context } = await site.open()
    await acceptInvitation(page, await invitation(site), 'ada')
    state = await context.storageState()
  })

  describe('the web app', () => {
    test('converts a file: options with labels, progress, preview, a download with its name', async () => {
      const { page, complaints } = await open()
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
      const { page, complaints } = await open()
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
      const { page } = await site.open({ storageState: state })
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
      const { page } = await open()
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

    test('converts a deck of 20 MB', async () => {
      const { page } = await open()
      const slide = textBox('<a:p><a:r><a:t>Deck</a:t></a:r></a:p>')
      // By its path: to send so many bytes through the test's own connection takes longer than the conversion.
      const path = join(site.folder, 'deck.pptx')
      await writeFile(path, largeDocument('deck.pptx', pptx([slide]), 20).buffer)
      await page.getByLabel('Files', { exact: true }).setInputFiles(path)
      await row(page, 'deck.pptx').getByText('20.0 MB').waitFor()
      await convertButton(page).click()
      await converted(page, 'deck.pptx')
    })

    test('takes 50 files at once, and gives them back as one zip', async () => {
      const { page } = await open()
      const before = await jobsOf(page)
      const names = Array.from({ length: 50 }, (_, index) => `chapter ${index + 1}.md`)
      await chooseFiles(
        page,
        names.map((name) => textFile(name, `# ${name}`)),
      )
      await page.getByLabel('All to').selectOption('html')
      await page.getByRole('button', { name: 'Convert 50 files' }).click()
      await page.getByText('50 converted.').waitFor({ timeout: 120_000, state: 'attached' })
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download all as zip' }).click(),
      ])
      const entries = unzip(await readFile(await download.path()))
      expect([...entries.keys()].sort()).toEqual(names.map((name) => name.replace('.md', '.html')).sort())
      expect(String(entries.get('chapter 7.html'))).toContain('chapter 7')
      expect(await jobsOf(page)).toBe(before + 50)
    })

    test('goes on by itself after the connection was lost midway, as one job', async () => {
      const { page, context, proxy } = await openThroughProxy()
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

    test('does not lose a job when the page is closed, nor charge twice for an upload that was cut off', async () => {
      const { page, context, proxy } = await openThroughProxy()
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

    test('shows the same jobs in two tabs', async () => {
      const { page, context } = await open()
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

    test('works with the keyboard alone', async () => {
      const { page } = await open()
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
      const { page } = await site.open({ storageState: state })
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
      const { page } = await open({ colorScheme })
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

  describe('the account page', () => {
    test('shows usage, jobs and the ledger; creates and revokes a key', async () => {
      const { page, complaints } = await open()
      await page.goto(`${site.origin}/account`)
      await page.getByText('Free conversions left').waitFor()
      await page.getByRole('cell', { name: 'docx to pdf' }).first().waitFor()
      await page
        .getByRole('cell', { name: /[KM]?B\.$/ })
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'New key' }).click()
      const secret = String(await page.locator('.secret code').textContent())
      const usage = () =>
        fetch(`${site.origin}/api/v1/usage`, { headers: { authorization: `Bearer ${secret}` } })
      expect((await usage()).status).toBe(200)
      await page.getByRole('button', { name: 'I have kept it' }).click()
      await page
        .getByRole('button', { name: /^Revoke/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Revoke', exact: true }).last().click()
      await expect.poll(async () => (await usage()).status).toBe(401)
      expect(complaints).toEqual([])
    })
  })

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

    test('with a passkey, also from the invitation on', async () => {
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

// @module-tag slow

import { expect, test } from 'vitest'
import {
  anyImpact,
  axeFaults,
  convertByApi,
  expectNoSidewaysScroll,
  password,
  seriousFaults,
  signIn,
  useSite,
} from './pages.ts'
import { chooseFiles, invitation, textFile } from './web-app.ts'
import { convertButton, useWebAppUser } from './web-app-user.ts'

// Every page, in light and dark.

const site = useSite()
const user = useWebAppUser(site)

const deskAndPhone = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
]

const widths = [
  { width: 1280, height: 900 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
]
test.each(['light', 'dark'] as const)(
  'axe finds nothing in the web app, %s, at three widths',
  async (colorScheme) => {
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
  },
)

test.each(['light', 'dark'] as const)(
  'axe finds no serious fault on the page for developers and the status, %s',
  async (colorScheme) => {
    for (const viewport of deskAndPhone) {
      const { page } = await site.open({ colorScheme, viewport })
      for (const path of ['/developers', '/status']) {
        await page.goto(site.origin + path)
        expect(await seriousFaults(page, colorScheme)).toEqual([])
        await expectNoSidewaysScroll(page)
      }
    }
  },
)

test.each(['light', 'dark'] as const)(
  'axe finds no serious fault in the API reference, %s',
  async (colorScheme) => {
    for (const viewport of deskAndPhone) {
      const { page } = await site.open({ colorScheme, viewport })
      await page.goto(`${site.origin}/api/docs`)
      await page.locator('#option-buttons button').first().waitFor()
      expect(await seriousFaults(page, colorScheme)).toEqual([])
      await expectNoSidewaysScroll(page)
    }
  },
)

test.each(['light', 'dark'] as const)(
  'axe finds no serious fault on any page of the console, %s',
  async (colorScheme) => {
    await convertByApi(site, '# A job\n')
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
      await page.getByText(word).filter({ visible: true }).first().waitFor()
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
  },
)

// `npm run screenshots`: pictures of every page, for the documentation. A service of its own is started on a
// folder that is thrown away, filled with invented history, and looked at with Debian's Chromium.
// The pictures go to docs/pictures.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@kiln/test-support/free-port.ts'
import { type Browser, chromium, type Page } from 'playwright-core'
import { startPrivatePostgres } from '../packages/server/src/db/private-postgres/index.ts'
import { fillWithHistory, type Invented } from './screenshots/invented-history.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const pictures = join(repository, 'docs/pictures')
const password = 'a-password-for-pictures'

const desk = { width: 1360, height: 850 }
const phone = { width: 390, height: 844 }

async function main(): Promise<void> {
  // Two folders: the service, which gives up root, sees nothing beside its own.
  const folder = await mkdtemp(join(tmpdir(), 'kiln-pictures-'))
  const database = await mkdtemp(join(tmpdir(), 'kiln-pictures-database-'))
  const postgres = await startPrivatePostgres({ dataDir: database })
  const port = await freePort()
  const service = spawn(
    join(repository, 'node_modules/.bin/node'),
    [join(repository, 'packages/server/src/main-all.ts')],
    {
      env: {
        ...{ PATH: process.env.PATH, HOME: folder, KILN_DATA_DIR: folder },
        ...{ DATABASE_URL: postgres.connectionString, KILN_PORT: String(port) },
        ...{ KILN_OPERATOR_PASSWORD: password, KILN_LOG_LEVEL: 'warn' },
        // What a reader's own service will say.
        KILN_PUBLIC_URL: 'http://localhost:8080',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const origin = `http://localhost:${port}`
  try {
    await untilReady(origin)
    const invented = await fillWithHistory(postgres.connectionString)
    await mkdir(pictures, { recursive: true })
    // The engines are looked at a few seconds after the start.
    await new Promise((resolve) => setTimeout(resolve, 12_000))
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
    await takeAll(browser, origin, invented)
    await browser.close()
  } finally {
    service.kill('SIGTERM')
    await once(service, 'exit')
    await postgres.stop()
    for (const each of [folder, database]) await rm(each, { recursive: true, force: true })
  }
}

async function takeAll(browser: Browser, origin: string, invented: Invented): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: desk, colorScheme: scheme, deviceScaleFactor: 1 })
    const page = await context.newPage()
    const shoot = async (path: string, name: string, options: { ready?: string } = {}) => {
      await page.goto(origin + path)
      if (options.ready) await page.getByText(options.ready).first().waitFor()
      await page.waitForTimeout(700)
      await save(page, `${name}-${scheme}`)
    }
    await shoot('/', 'public-page')
    await shoot('/?q=pdf#formats', 'formats')
    await shoot('/status', 'status')
    await shoot('/console', 'sign-in', { ready: 'Operator password' })
    await signIn(page)
    // As tall as the whole page: the menu stays beside it.
    await page.setViewportSize({ ...desk, height: 1600 })
    await shoot('/console', 'overview', { ready: 'Storage and retention' })
    await page.setViewportSize(desk)
    await shoot('/console?over=month', 'overview-month', { ready: 'Storage and retention' })
    await shoot('/console/jobs', 'jobs', { ready: 'Older jobs' })
    await shoot(`/console/jobs/${invented.job}`, 'job', { ready: 'Attempts' })
    await shoot('/console/accounts', 'accounts', { ready: 'New account' })
    await shoot(`/console/accounts/${invented.account}`, 'account', { ready: 'Ledger' })
    await page.setViewportSize({ ...desk, height: 1000 })
    await tryIt(page, origin)
    await page.mouse.wheel(0, -2000)
    await page.waitForTimeout(300)
    await save(page, `try-it-${scheme}`)
    await context.close()
  }
  const context = await browser.newContext({ viewport: phone, colorScheme: 'light', deviceScaleFactor: 2 })
  const page = await context.newPage()
  await page.goto(origin)
  await save(page, 'public-page-phone')
  await page.goto(`${origin}/console`)
  await signIn(page)
  await page.getByText('Storage and retention').waitFor()
  await page.waitForTimeout(700)
  await save(page, 'overview-phone')
  await context.close()
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Operator password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

async function tryIt(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/console/try`)
  await page.locator('input[type=file]').setInputFiles({
    name: 'firing-schedule.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from(
      '# Firing schedule\n\n| Cone | Temperature |\n|---|---|\n| 06 | 999 °C |\n| 6 | 1222 °C |\n',
    ),
  })
  await page.getByLabel('Convert to').selectOption({ label: 'Markdown to PDF' })
  await page.getByText('Options', { exact: true }).click()
  await page.getByLabel('pageSize', { exact: true }).selectOption('A5')
  await page.getByLabel('margin', { exact: true }).fill('15mm')
  await page.getByRole('button', { name: 'Convert' }).click()
  await page.getByRole('link', { name: 'Download' }).waitFor({ timeout: 30_000 })
}

const save = async (page: Page, name: string) => {
  await writeFile(join(pictures, `${name}.png`), await page.screenshot())
  console.log(`docs/pictures/${name}.png`)
}

async function untilReady(origin: string): Promise<void> {
  for (let n = 0; n < 600; n++) {
    const answer = await fetch(`${origin}/readyz`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The service did not get ready.')
}

await main()

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { createFreshDatabase, type TemporaryDatabase } from '../../support/temporary-postgres.ts'
import { admin, endOf, type ServiceProcess, startService } from '../service-process.ts'

// The real service and a real browser: Debian's headless shell of Chromium, which takes half the CPU
// time.

export const password = 'a-password-for-tests'

export interface Site {
  origin: string
  /** The data directory. */
  folder: string
  database: string
  /** The account of `key`. */
  account: string
  key: string
  /** A fresh browser profile; everything it does wrong is gathered. */
  open(
    options?: BrowserContextOptions,
  ): Promise<{ page: Page; context: BrowserContext; complaints: string[] }>
  signedIn(
    options?: BrowserContextOptions,
  ): Promise<{ page: Page; context: BrowserContext; complaints: string[] }>
}

export function useSite(): Site {
  const site = {} as Site
  let folder: string
  let database: TemporaryDatabase
  let service: ServiceProcess
  let browser: Browser
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    // As the set-up does it; nothing happens when it is built already.
    const step = new URL('../../../../../scripts/setup/artifacts.mjs', import.meta.url).href
    await promisify(execFile)(process.execPath, [
      '-e',
      `import('${step}').then((step) => step.buildArtifacts())`,
    ])
    folder = await mkdtemp(join(tmpdir(), 'kiln-browser-'))
    database = await createFreshDatabase()
    const environment = { DATABASE_URL: database.connectionString }
    ;[service, browser] = await Promise.all([
      startService(folder, {
        ...environment,
        KILN_OPERATOR_PASSWORD: password,
        KILN_WEBHOOKS_TO_PRIVATE: '1',
      }),
      chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] }),
    ])
    const made = await admin(folder, environment, 'account', 'create', '--name', 'Browser tests', '--json')
    const { account, key } = JSON.parse(made.stdout)
    site.account = account.id
    site.key = key.key
    site.folder = folder
    site.database = database.connectionString
    // Chromium treats localhost as a secure page, as it does https.
    site.origin = service.origin.replace('127.0.0.1', 'localhost')
    site.open = async (options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
      contexts.push(context)
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      return { page, context, complaints: gatherComplaints(page, site.origin) }
    }
    site.signedIn = async (options) => {
      const opened = await site.open(options)
      await opened.page.goto(`${site.origin}/console`)
      await signIn(opened.page, password)
      await opened.page.getByRole('button', { name: 'Sign out' }).waitFor()
      return opened
    }
  })
  // A page that stays open continues to poll during the following tests.
  afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())))
  afterAll(async () => {
    await browser?.close()
    await service?.stop('SIGTERM')
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  })
  return site
}

export async function signIn(page: Page, secret: string): Promise<void> {
  await page.getByLabel('Operator password').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Errors on the page, refusals by the content policy, and requests to anywhere else. */
function gatherComplaints(page: Page, origin: string): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // The browser itself logs every response that is not 2xx.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) complaints.push(`outside: ${url}`)
  })
  return complaints
}

const axeSource = readFileSync(
  createRequire(fileURLToPath(new URL('../../../../console/package.json', import.meta.url))).resolve(
    'axe-core/axe.min.js',
  ),
  'utf8',
)

/** Serious or critical findings of axe, as sentences. In the dark a page differs in nothing but its colours. */
export const seriousFaults = (page: Page, colorScheme: 'light' | 'dark' = 'light'): Promise<string[]> =>
  axeFaults(page, ['serious', 'critical'], colorScheme)

export const anyImpact = ['minor', 'moderate', 'serious', 'critical']

export async function axeFaults(
  page: Page,
  impacts: readonly string[],
  colorScheme: 'light' | 'dark' = 'light',
): Promise<string[]> {
  await page.evaluate(axeSource)
  // Passes are neither collected nor described: that takes longer than the check.
  const rules = {
    resultTypes: ['violations'],
    ...(colorScheme === 'dark' ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {}),
  }
  return page.evaluate(
    async ({ rules, impacts }) => {
      const { axe } = globalThis as unknown as {
        axe: {
          run(rules: object): Promise<{
            violations: { id: string; impact: string; nodes: { target: unknown; failureSummary: string }[] }[]
          }>
        }
      }
      const { violations } = await axe.run(rules)
      return violations
        .filter(({ impact }) => impacts.includes(impact))
        .map(
          ({ id, nodes }) =>
            `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join('; ')}`,
        )
    },
    { rules, impacts: [...impacts] },
  )
}

/** Nothing sticks out of the side of the page. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [scroll, client] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = (
      globalThis as unknown as { document: { documentElement: { scrollWidth: number; clientWidth: number } } }
    ).document.documentElement
    return [scrollWidth, clientWidth]
  })
  expect(scroll).toBeLessThanOrEqual(client as number)
}

export async function convertByApi(site: Site, text: string): Promise<void> {
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

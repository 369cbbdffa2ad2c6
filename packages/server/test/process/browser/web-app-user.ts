import { randomBytes } from 'node:crypto'
import { unzip, zip } from '@kiln/test-support/zip.ts'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { admin } from '../service-process.ts'
import type { Site } from './pages.ts'
import { startUploadProxy, type UploadProxy } from './upload-proxy.ts'
import { acceptInvitation, invitation, row, type TestFile } from './web-app.ts'

interface OpenedPage {
  page: Page
  context: BrowserContext
  complaints: string[]
}

/** The user that the tests of the web app share: `ada`, who accepted the first invitation. */
export interface WebAppUser {
  /** Options of a browser context that is signed in. */
  session(): BrowserContextOptions
  /** The front page. */
  open(options?: BrowserContextOptions): Promise<OpenedPage>
  /** The front page, through a proxy that can interrupt an upload. */
  openThroughProxy(): Promise<OpenedPage & { proxy: UploadProxy }>
}

export function useWebAppUser(site: Site): WebAppUser {
  let session: BrowserContextOptions
  const proxies: UploadProxy[] = []

  beforeAll(async () => {
    const environment = { DATABASE_URL: site.database }
    const grant = ['credits', 'grant', '--account', site.account, '--amount', '1000', '--reason', 'tests']
    await admin(site.folder, environment, ...grant)
    const { page, context } = await site.open()
    await acceptInvitation(page, await invitation(site), 'ada')
    session = { storageState: await context.storageState() }
  })
  afterAll(() => Promise.all(proxies.map((proxy) => proxy.close())))

  const openAt = async (origin: string, options: BrowserContextOptions = {}) => {
    const opened = await site.open({ ...session, ...options })
    await opened.page.goto(origin)
    await opened.page.getByRole('heading', { name: 'Convert files' }).waitFor()
    return opened
  }
  return {
    session: () => session,
    open: (options) => openAt(site.origin, options),
    async openThroughProxy() {
      const proxy = await startUploadProxy(site.origin)
      proxies.push(proxy)
      return { ...(await openAt(proxy.origin)), proxy }
    },
  }
}

/** A document with a large part that is not read: long to upload, quick to convert. */
export const largeDocument = (name: string, document: Buffer, megabytes: number): TestFile => {
  const parts = [...unzip(document)].map(([part, content]) => ({ name: part, content }))
  const filler = { name: 'filler.bin', content: randomBytes(megabytes * 1024 * 1024), stored: true }
  return { name, mimeType: '', buffer: zip([...parts, filler]) }
}

export const convertButton = (page: Page) => page.getByRole('button', { name: /^Convert / })

export const converted = (page: Page, name: string): Promise<void> =>
  row(page, name)
    .getByRole('link', { name: /^Download/ })
    .waitFor({ timeout: 60_000 })

/** How many jobs the account has. */
export const jobsOf = (page: Page): Promise<number> =>
  page.evaluate("fetch('/app/api/account').then((r) => r.json()).then((a) => a.account.jobs)")

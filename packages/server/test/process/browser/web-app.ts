import type { Page } from 'playwright-core'
import { admin } from '../service-process.ts'
import type { Site } from './pages.ts'

// The web app as its users see it. Each test file signs a user in once; contexts share its session.

export const userPassword = 'a password for tests'

export async function invitation(
  site: Pick<Site, 'account' | 'database' | 'folder' | 'origin'>,
): Promise<string> {
  const { stdout } = await admin(
    site.folder,
    { DATABASE_URL: site.database, KILN_PUBLIC_URL: site.origin },
    'user',
    'invite',
    '--account',
    site.account,
    '--json',
  )
  return JSON.parse(stdout).invitation.link
}

export async function acceptInvitation(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('User name').fill(name)
  await page.getByLabel('Password').fill(userPassword)
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('heading', { name: 'Convert files' }).waitFor()
}

export interface TestFile {
  name: string
  mimeType: string
  buffer: Buffer
}

export const textFile = (name: string, text: string): TestFile => ({
  name,
  mimeType: 'text/markdown',
  buffer: Buffer.from(text),
})

export const chooseFiles = (page: Page, files: TestFile[]): Promise<void> =>
  page.getByLabel('Files', { exact: true }).setInputFiles(files, { timeout: 60_000 })

export const row = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

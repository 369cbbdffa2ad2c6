// @module-tag slow

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pptx, textBox } from '@kiln/test-support/deck.ts'
import { unzip } from '@kiln/test-support/zip.ts'
import { describe, expect, test } from 'vitest'
import { useSite } from './pages.ts'
import { chooseFiles, row, textFile } from './web-app.ts'
import { testWebAppInFirefox } from './web-app-firefox.ts'
import { convertButton, converted, jobsOf, largeDocument, useWebAppUser } from './web-app-user.ts'

const site = useSite()
const user = useWebAppUser(site)

describe('the web app', () => {
  test('converts a deck of 20 MB', async () => {
    const { page } = await user.open()
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
    const { page } = await user.open()
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
})

testWebAppInFirefox(site)

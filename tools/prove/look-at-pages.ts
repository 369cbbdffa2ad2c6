import { join } from 'node:path'
import { chromium } from 'playwright-core'

// The public pages and the console in a browser of this machine. A picture of each is kept.

const pages = [
  { path: '/', ready: 'h1' },
  { path: '/status', ready: 'h1' },
  { path: '/console', ready: 'input[type=password]' },
]

/** What is wrong with a page, one sentence each; empty when all is well. */
export async function lookAtPages(origin: string, folder: string): Promise<string[]> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  const faults: string[] = []
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.setDefaultTimeout(600_000)
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
    page.on('response', (answer) => {
      // The console asks who is signed in, and nobody is.
      if (answer.status() >= 400 && answer.status() !== 401)
        faults.push(`${answer.url()}: ${answer.status()}`)
    })
    for (const { path, ready } of pages) {
      await page.goto(origin + path)
      await page.locator(ready).first().waitFor()
      await page.screenshot({ path: join(folder, `${path.slice(1) || 'page'}.png`) })
      // Without its style, a page has the browser's own font and a logo as wide as the window.
      const font = await page.evaluate('getComputedStyle(document.body).fontFamily')
      const logo = await page.evaluate(
        'Math.max(0, ...[...document.querySelectorAll("svg")].map((each) => each.getBoundingClientRect().width))',
      )
      if (font === 'Times New Roman' || font === '') faults.push(`${path} has no style.`)
      if (Number(logo) > 640) faults.push(`${path} has a picture ${logo} pixels wide.`)
    }
  } finally {
    await browser.close()
  }
  return faults
}

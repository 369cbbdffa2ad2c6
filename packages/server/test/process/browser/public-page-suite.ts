import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Site } from './pages.ts'

export function testPublicPage(site: Site): void {
  const formats = async () =>
    ((await (await fetch(`${site.origin}/api/v1/formats`)).json()) as { pairs: { pair: string }[] }).pairs

  describe('the page for developers', () => {
    test('is whole without JavaScript: the table, the search, the quick start', async () => {
      const { page } = await site.open({ javaScriptEnabled: false })
      await page.goto(`${site.origin}/developers`)
      const pairs = await formats()
      expect(await page.locator('#pairs tbody tr code').allTextContents()).toEqual(
        pairs.map(({ pair }) => pair),
      )
      expect(await page.locator('#start pre').allTextContents()).toEqual(
        expect.arrayContaining([expect.stringContaining(`${site.origin}/api/v1/conversions`)]),
      )
      await page.getByLabel('Search formats').fill('docx pdf')
      await page.getByRole('button', { name: 'Search' }).click()
      expect(await page.locator('#pairs tbody tr:visible code').allTextContents()).toEqual([
        'docx-to-pdf',
        'pdf-to-docx',
      ])
      expect(await page.locator('#count').textContent()).toBe(`2 of ${pairs.length} conversions`)
      await page.goto(`${site.origin}/developers?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
      expect(await page.getByLabel('Search formats').inputValue()).toBe('"><script>alert(1)</script>')
      expect(await page.locator('#none').isVisible()).toBe(true)
    })

    test('searches while one types, copies code, and calls no other server', async () => {
      const { page, context, complaints } = await site.open()
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto(`${site.origin}/developers`)
      await page.getByLabel('Search formats').fill('epub')
      await expect.poll(() => page.locator('#pairs tbody tr:visible').count()).toBeLessThan(20)
      expect(await page.locator('#pairs tbody tr:visible code').allTextContents()).toContain('epub-to-pdf')
      await page.getByLabel('Search formats').fill('no such thing')
      expect(await page.getByText('No format has this name').isVisible()).toBe(true)
      await page.getByRole('button', { name: 'Copy' }).nth(1).click()
      await page.getByText('Copied').waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^JOB=\$\(curl -s http/)
      expect(complaints).toEqual([])
    })

    test('leads to the API page, the status and the console', async () => {
      const { page } = await site.open()
      for (const [name, path] of [
        ['Convert', '/'],
        ['API', '/api/docs'],
        ['Status', '/status'],
        ['Operator console', '/console'],
      ] as const) {
        await page.goto(`${site.origin}/developers`)
        await page.getByRole('link', { name, exact: true }).click()
        await page.waitForURL(`**${path}**`)
      }
      await page.goto(`${site.origin}/status`)
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Everything works')
    })

    test('loads files that are served as they stand in the repository, so that no build can fail it', async () => {
      const folder = new URL('../../../../console/pages/', import.meta.url)
      const types = { css: 'text/css', js: 'javascript', svg: 'image/svg+xml' }
      for (const path of ['/developers', '/status']) {
        const html = await (await fetch(site.origin + path)).text()
        const links = [...html.matchAll(/(?:<link[^>]* href|<script[^>]* src)="([^"]+)"/g)].map(([, link]) =>
          String(link),
        )
        expect(links.map((link) => link.split('.').at(-1)).sort()).toEqual(['css', 'css', 'js', 'svg'])
        for (const link of links) {
          const answer = await fetch(site.origin + link)
          expect(await answer.text()).toBe(await readFile(new URL(basename(link), folder), 'utf8'))
          const extension = link.split('.').at(-1) as keyof typeof types
          expect(answer.headers.get('content-type')).toContain(types[extension])
        }
      }
      const { page } = await site.open()
      await page.goto(`${site.origin}/developers`)
      expect((await page.locator('header .mark').boundingBox())?.width).toBeLessThan(40)
    })

    test('keeps its headers: no frame, no outside host, nothing guessed', async () => {
      for (const path of [
        '/',
        '/account',
        '/developers',
        '/api/docs',
        '/status',
        '/console',
        '/console/jobs',
      ]) {
        const { headers } = await fetch(site.origin + path)
        const policy = String(headers.get('content-security-policy'))
        expect(policy).toContain("default-src 'none'")
        expect(policy).toContain("frame-ancestors 'none'")
        expect(policy).not.toMatch(/unsafe|http|\*/)
        expect(headers.get('x-content-type-options')).toBe('nosniff')
      }
      expect((await fetch(`${site.origin}/assets/..%2findex.html`)).status).toBe(404)
      expect((await fetch(`${site.origin}/pages/..%2fpackage.json`)).status).toBe(404)
      expect((await fetch(`${site.origin}/console/api/nothing`)).status).toBe(404)
    })
  })
}

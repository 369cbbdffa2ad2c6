import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { layerNames } from './draw.ts'
import { debugPage } from './page.ts'

it('shows a page with what every stage saw and what came out', async () => {
  const file = readFileSync(`${import.meta.dirname}/../../../../packages/pdf/fixtures/evidence-1.pdf`)
  const drawing = await debugPage(file, 1)
  for (const name of layerNames) expect(drawing).toContain(`<g id="${name}">`)
  expect(drawing).toMatch(/<title>(?:title|heading \d)<\/title>/)
  expect(drawing).toContain('href="data:image/png;base64,')
  expect(drawing).toMatch(/<pre>[^<]*\w/)
  expect(drawing).toMatch(/&lt;(?:h1|p)/)
  await expect(debugPage(file, 99)).rejects.toThrow('there is no page 99')
})

import { expect, test } from 'vitest'
import { browserTargets } from './targets.ts'

test('a photograph becomes every other image format and PDF, whatever its extension is', () => {
  const names = browserTargets('jpg').map(({ to }) => to)
  expect(names).toEqual(['pdf', 'png', 'webp', 'avif', 'gif', 'tiff', 'bmp', 'ico'])
  expect(browserTargets('.JPEG').map(({ to }) => to)).toEqual(names)
})

test('other files have no targets, nor have the names of object properties', () => {
  for (const name of ['docx', '', 'constructor', '__proto__']) expect(browserTargets(name)).toEqual([])
})

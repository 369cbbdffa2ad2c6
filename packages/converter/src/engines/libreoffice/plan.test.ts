import { expect, test } from 'vitest'
import { hasPhotos, planFor } from './plan.ts'

test.each([
  [['ppt/slides/slide1.xml', 'ppt/media/image1.png', 'ppt/media/image2.SVG'], true],
  [['ppt/slides/slide1.xml'], true],
  [['ppt/media/image1.png', 'ppt/media/image2.jpeg'], false],
  [['ppt/media/image1.emf'], false],
])('a deck with the parts %j keeps its pictures without loss: %j', (names, isLossless) => {
  const plan = planFor('pptx', 'pdf', { hasPhotos: hasPhotos(names) })
  expect(plan.exportOptions.UseLosslessCompression).toBe(isLossless)
})

test('a quality that was asked for holds', () => {
  const { exportOptions } = planFor('pptx', 'pdf', { hasPhotos: false }, { exportOptions: { Quality: 40 } })
  expect(exportOptions).toMatchObject({ UseLosslessCompression: false, Quality: 40 })
})

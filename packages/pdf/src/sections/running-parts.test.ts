import { expect, it } from 'vitest'
import { measurePitch } from '../blocks/line-pitch.ts'
import { learnVocabulary } from '../blocks/vocabulary.ts'
import type { Picture } from '../read/page.ts'
import { buildRunning } from './running-parts.ts'

it('a picture of most pages stands on the kinds of pages that show it', () => {
  const frame = { left: 70, right: 540, top: 72, bottom: 720, edges: [] }
  const picture = { box: { x0: 70, y0: 14, x1: 140, y1: 52 } } as Picture
  const { first, usual } = buildRunning({
    header: [[], [], []],
    footer: [[], [], []],
    frames: [frame, frame, frame],
    context: { linePitch: measurePitch([]), vocabulary: learnVocabulary([]), spacing: new Map() },
    rules: [[], [], []],
    pictures: [[], [picture], [picture]],
  })
  expect([first, usual].map((parts) => parts?.header.length)).toEqual([0, 1])
})

import { expect, it } from 'vitest'
import { learnHabits } from '../blocks/habits.ts'
import { learnVocabulary } from '../blocks/vocabulary.ts'
import { pieceOf } from '../lines/test-pieces.ts'
import type { Picture } from '../read/page.ts'
import { buildRunning } from './running-parts.ts'

it('what stands beside a running line is on one line with it, though its baseline is not', () => {
  const frame = { left: 70, right: 540, top: 72, bottom: 720, edges: [] }
  const footer = [1, 2].map((page) => [pieceOf(`Page ${page}`, 280, 780, 12), pieceOf('2018', 500, 777, 8)])
  const { usual } = buildRunning({
    header: [[], []],
    footer,
    frames: [frame, frame],
    context: { habits: learnHabits([]), vocabulary: learnVocabulary([]), spacing: new Map() },
    rules: [[], []],
    pictures: [[], []],
  })
  expect(usual.footer).toHaveLength(1)
})

it('a picture of most pages stands on the kinds of pages that show it', () => {
  const frame = { left: 70, right: 540, top: 72, bottom: 720, edges: [] }
  const picture = { box: { x0: 70, y0: 14, x1: 140, y1: 52 } } as Picture
  const { first, usual } = buildRunning({
    header: [[], [], []],
    footer: [[], [], []],
    frames: [frame, frame, frame],
    context: { habits: learnHabits([]), vocabulary: learnVocabulary([]), spacing: new Map() },
    rules: [[], [], []],
    pictures: [[], [picture], [picture]],
  })
  expect([first, usual].map((parts) => parts?.header.length)).toEqual([0, 1])
})

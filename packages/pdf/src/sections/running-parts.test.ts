import { expect, it } from 'vitest'
import { learnHabits } from '../blocks/habits.ts'
import { learnVocabulary } from '../blocks/vocabulary.ts'
import { pieceOf } from '../lines/test-pieces.ts'
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
    pictures: [],
  })
  expect(usual.footer).toHaveLength(1)
})

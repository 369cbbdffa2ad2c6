import { expect, test } from 'vitest'
import type { Attributes, Properties } from '../style-sheet.ts'
import { sectionWidth } from './section-width.ts'

const section = (properties: Record<string, Attributes>): Properties => new Map(Object.entries(properties))
const a4 = {
  'w:pgSz': { 'w:w': '11906', 'w:h': '16838' },
  'w:pgMar': { 'w:left': '1000', 'w:right': '906', 'w:gutter': '200' },
}

test('the width of the text is that of the page without its margins', () => {
  expect(sectionWidth(section(a4))).toBe(9800)
  expect(sectionWidth(section({}))).toBe(12_240 - 2 * 1440)
})

test('columns of the page share it', () => {
  expect(sectionWidth(section({ ...a4, 'w:cols': { 'w:num': '2', 'w:space': '400' } }))).toBe(4700)
  expect(sectionWidth(section({ 'w:cols': { 'w:num': '2', 'w:equalWidth': '0' } }))).toBeUndefined()
})

test('margins that leave nothing give no width', () => {
  expect(sectionWidth(section({ 'w:pgSz': { 'w:w': '1000' } }))).toBeUndefined()
})

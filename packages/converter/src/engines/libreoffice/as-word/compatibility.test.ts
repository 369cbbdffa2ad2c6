import { expect, test } from 'vitest'
import { compatibilityModeOf, editSettings } from './compatibility.ts'

const setting = (mode: number) =>
  `<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${mode}"/>`
const settings = (content: string) => `<w:settings>${content}</w:settings>`

test.each([
  ['<w:zoom/>', `<w:zoom/><w:compat>${setting(12)}</w:compat>`],
  ['<w:compat/>', `<w:compat>${setting(12)}</w:compat>`],
  ['<w:compat><w:useFELayout/></w:compat>', `<w:compat><w:useFELayout/>${setting(12)}</w:compat>`],
])('a document that names no version is from Word 2007: %s', (content, edited) => {
  expect(editSettings(settings(content))).toBe(settings(edited))
  expect(compatibilityModeOf(settings(content))).toBe(12)
})

test('a version that is named stays', () => {
  const named = settings(`<w:compat>${setting(15)}</w:compat>`)
  expect(editSettings(named)).toBe(named)
  expect(compatibilityModeOf(named)).toBe(15)
})

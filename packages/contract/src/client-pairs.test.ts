import { expect, test } from 'vitest'
import { classifyUnlisted } from './client-pairs.ts'

test.each([
  'png-to-jpg',
  'heic-to-jpg',
  'avif-to-png',
  'svg-to-png',
  'cr2-to-tiff',
  'png-to-pdf',
  'pdf-to-png',
  'mp3-to-wav',
  'mp4-to-mp3',
  'mov-to-aac',
  'zip-to-tar',
  'pdf-to-pdf',
  'gif-to-png',
])('%s is the browser’s work', (slug) => {
  expect(classifyUnlisted(slug)).toBe('client-pair')
})

test.each([
  'docx-to-xlsx',
  'mp3-to-mp4',
  'png-to-docx',
  'png-to-mp3',
  'zip-to-pdf',
  'foo-to-bar',
  'png-to-foo',
  'png',
  '',
  '-to-',
  'png-to-jpg-to-png',
  'PNG-to-JPG',
  'constructor-to-png',
])('%j is no client pair', (slug) => {
  expect(classifyUnlisted(slug)).toBe('unknown-pair')
})

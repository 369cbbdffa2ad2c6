import { expect, test } from 'vitest'
import { formats } from './formats.ts'
import { checkCatalogue, type FormatName, pairs } from './pairs.ts'

const engineNames = ['pandoc', 'libreoffice', 'chromium', 'ffmpeg', 'pdf', 'qpdf']
const megabyte = 1024 * 1024
const sources = (to: FormatName, engine: string) =>
  pairs.filter((pair) => pair.to === to && pair.engine === engine).map(({ from }) => from)

test('the written-out table passes its own check', () => {
  expect(() => checkCatalogue(pairs, engineNames)).not.toThrow()
})

test('office documents, pages and videos have the sources that are promised', () => {
  const office =
    'docx doc odt rtf txt xlsx xls ods csv pptx ppt odp odg wpd pages numbers key vsdx vsd pub docm dotx fodt xlsm xltx fods pptm ppsx potx'
  expect(sources('pdf', 'libreoffice').sort()).toEqual(office.split(' ').sort())
  expect(sources('pdf', 'chromium').sort()).toEqual(['eml', 'epub', 'html', 'latex', 'md', 'msg', 'rst'])
  const pictures = 'docx odt xlsx ods pptx odp docm dotx fodt xlsm xltx fods pptm ppsx potx'
  expect(sources('png', 'libreoffice').sort()).toEqual(pictures.split(' ').sort())
  const videos = 'mov mkv avi webm wmv flv mpeg ts m4v 3gp ogv mxf vob rm gif'
  expect(sources('mp4', 'ffmpeg').sort()).toEqual(videos.split(' ').sort())
  expect(sources('webm', 'ffmpeg').sort()).toEqual(['avi', 'mkv', 'mov', 'mp4'])
  expect(sources('gif', 'ffmpeg').sort()).toEqual(['mkv', 'mov', 'mp4', 'webm'])
  expect([...sources('mov', 'ffmpeg'), ...sources('mkv', 'ffmpeg')]).toEqual(['mp4', 'mp4'])
})

test('templates, documents with macros and flat OpenDocument go where the plain format goes, and to it', () => {
  const targets = (name: FormatName) =>
    pairs.filter(({ from }) => from === name).map(({ to, engine, credits }) => `${to} ${engine} ${credits}`)
  for (const [name, { readAs }] of Object.entries(formats)) {
    if (!readAs) continue
    const expected = [...targets(readAs), `${readAs} libreoffice 1`]
    expect(targets(name as FormatName).sort(), name).toEqual(expected.sort())
  }
  expect(targets('docm')).toContain('md pandoc 1')
})

test('all ordered pairs of the interchange formats are there', () => {
  const names = ['md', 'html', 'epub', 'latex', 'rst', 'docx', 'odt'] as const
  const slugs = new Set(pairs.map(({ slug }) => slug))
  for (const from of names) for (const to of names) expect(slugs.has(`${from}-to-${to}`)).toBe(from !== to)
})

test('caps, credits and labels', () => {
  for (const pair of pairs) {
    const video = pair.engine === 'ffmpeg'
    expect(pair.maxBytes).toBe((video ? 500 : 50) * megabyte)
    expect(pair.credits).toBe(video ? 4 : 1)
    expect(pair.label).toBe(`${formats[pair.from].label} to ${formats[pair.to].label}`)
  }
  expect(pairs.find(({ slug }) => slug === 'docx-to-pdf')?.label).toBe('DOCX to PDF')
})

test('all faults are listed at once', () => {
  const [first, second] = pairs
  if (!first || !second) throw new Error('the table is empty')
  const faulty = [first, first, { ...second, engine: 'nobody', slug: 'x-to-y', credits: 0 }]
  expect(() => checkCatalogue(faulty, ['libreoffice'])).toThrow(
    /more than once[\s\S]*named nobody[\s\S]*x-to-y is not[\s\S]*no credits/,
  )
})

test('two engines of one name are a fault', () => {
  expect(() => checkCatalogue(pairs, [...engineNames, 'pandoc'])).toThrow(
    /exactly one engine named pandoc, there are 2/,
  )
})

import { describe, expect, test } from 'vitest'
import type { FormatName } from '../formats.ts'
import { pageFonts } from './named-fonts.ts'
import { packageFindings } from './package-findings.ts'

const inside = (format: FormatName, parts: Record<string, string>, names: string[] = []) =>
  packageFindings(
    {
      names: new Set([...Object.keys(parts), ...names]),
      parts: new Map(Object.entries(parts)),
      encrypted: false,
    },
    format,
  )

describe('inside a Word document', () => {
  const run = (font: string) =>
    `<w:r><w:rPr><w:rFonts w:ascii="${font}"/></w:rPr><w:t>Some</w:t><w:t>thing </w:t></w:r>`
  const style = (id: string, font: string, more = '') =>
    `<w:style w:styleId="${id}"${more}><w:rPr><w:rFonts w:ascii="${font}"/></w:rPr></w:style>`
  const found = inside(
    'docx',
    {
      'word/document.xml': `<w:p><w:pPr><w:pStyle w:val="Used"/></w:pPr>${run('Direct &amp; Sons')}${run('Embedded')}</w:p><w:p><w:t>two words</w:t></w:p><o:OLEObject/>`,
      'word/styles.xml': `<w:docDefaults><w:rFonts w:asciiTheme="minorHAnsi"/></w:docDefaults>${style('N', 'Normal One', ' w:default="1"')}${style('Used', 'Style Font')}${style('Unused', 'Nobody')}`,
      'word/theme/theme1.xml':
        '<a:majorFont><a:latin typeface="Major"/></a:majorFont><a:minorFont><a:latin typeface="Minor"/></a:minorFont>',
      'word/fonttable.xml':
        '<w:font w:name="Embedded"><w:embedRegular r:id="x"/></w:font><w:font w:name="Normal One"/>',
      'word/_rels/document.xml.rels':
        '<Relationship Type="http://x/image" Target="http://a/b.png" TargetMode="External"/><Relationship Type="http://x/image" Target="media/a.png"/><Relationship Type="http://x/hyperlink" Target="http://a" TargetMode="External"/>',
    },
    ['word/vbaProject.bin', 'word/media/a.png', 'docProps/thumbnail.jpeg'],
  )
  test('fonts are those of text that is shown, but for what it brings itself', () => {
    expect([...(found.askedFonts ?? [])].sort()).toEqual([
      'Direct & Sons',
      'Minor',
      'Normal One',
      'Style Font',
    ])
  })
  test('words run over the borders of runs and end with paragraphs', () => {
    expect(found.input).toMatchObject({ words: 4, pictures: 1 })
  })
  test('macros, objects and pictures on the web are counted', () => {
    expect(found.leftOut).toEqual({ macros: 1, media: 0, objects: 1, 'remote-pictures': 1 })
  })
})

test('inside slides: pages, words, sounds and films, and the fonts of the theme', () => {
  const slide =
    '<a:p><a:r><a:rPr><a:latin typeface="Own"/><a:latin typeface="+mn-lt"/></a:rPr><a:t>Two words</a:t></a:r></a:p>'
  const found = inside(
    'pptx',
    {
      'ppt/slides/slide1.xml': slide,
      'ppt/theme/theme1.xml': '<a:majorFont><a:latin typeface="Major"/></a:majorFont>',
    },
    ['ppt/media/film.mp4', 'ppt/media/image1.png'],
  )
  expect(found.input).toEqual({ pictures: 1, pages: 1, words: 2 })
  expect(found.leftOut).toMatchObject({ media: 1, macros: 0 })
  expect(found.askedFonts).toEqual(['Own', 'Major'])
})

test('inside a workbook: the fonts that cells may have', () => {
  const font = (name: string) => `<font><sz val="11"/><name val="${name}"/></font>`
  const xml = `<fonts>${font('Unused')}${font('Shown')}</fonts><cellStyleXfs><xf fontId="0"/></cellStyleXfs><cellXfs><xf fontId="1"/></cellXfs>`
  expect(inside('xlsx', { 'xl/styles.xml': xml }).askedFonts).toEqual(['Shown'])
})

test('inside OpenDocument: families behind the declarations of fonts, macros, pictures on the web', () => {
  const found = inside(
    'odt',
    {
      'content.xml':
        '<style:font-face style:name="F1" svg:font-family="&apos;Real Name&apos;"/><style:text-properties style:font-name="F1"/><office:body><text:p>Three<text:tab/>words here</text:p><draw:image xlink:href="https://a/b.png"/><draw:object-ole/></office:body>',
      'styles.xml': '<style:style><style:text-properties style:font-name="Unused"/></style:style>',
    },
    ['Basic/Standard/Module1.xml', 'Basic/Standard/script-lb.xml', 'Thumbnails/thumbnail.png'],
  )
  expect(found.askedFonts).toEqual(['Real Name'])
  expect(found.input).toEqual({ pictures: 0, words: 3 })
  expect(found.leftOut).toEqual({ macros: 1, media: 0, objects: 1, 'remote-pictures': 1 })
  expect(inside('odt', {}, ['Basic/Standard/script-lb.xml']).leftOut).toMatchObject({ macros: 0 })
})

test('inside a page: the first font of every list, but for those that it brings itself', () => {
  const page = `<style>@font-face { font-family: Mine; src: url(data:font/woff2;base64,AAAA) } @font-face { font-family: Far; src: url(https://a/b) }
    body { font-family: "Inter Tight", Arial, sans-serif } h1 { font-family: Mine, serif } p { font-family: 'Far' }</style>`
  expect(pageFonts(page)).toEqual(['Far', 'Inter Tight'])
})

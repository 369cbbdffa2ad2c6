import { docx, docxWith, odt, relationships } from '@kiln/test-support/documents.ts'
import { unzip, zip } from '@kiln/test-support/zip.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usesOfStyle } from './catalog/house-style.ts'
import { pairs } from './catalog/pairs.ts'
import { faultOfReference, faultOfStyleSheet } from './house-style.ts'

const faultOf = (css: string) => faultOfStyleSheet(Buffer.from(css))

describe('a style sheet', () => {
  it.each([
    'h1 { color: #7a1f1f }',
    '@page { size: A5; margin: 2cm }',
    "@font-face { font-family: Own; src: url('data:font/woff2;base64,d09GMgABAAA//+/=') }",
    'a::after { content: " (" attr(href) ")" }\n@media (width <= 40em) { p > em { color: red } }',
    '/* ours */ svg { fill: url(#shade) } /* not closed',
    'p { font-family: "Größe", serif; content: "\\201C" }',
  ])('may be %s', (css) => expect(faultOf(css)).toBeUndefined())

  it.each([
    ['p{}</style><script>alert(1)</script>', /<\//],
    ['p{}</STYLE >', /<\//],
    ['<!-- p{} -->', /<!--/],
    ['@import "more.css";', /@import/],
    ['@im\\70ort "more.css";', /@import/],
    ['@IMPORT url(data:text/css,p%7B%7D)', /@import/],
    ['p { background: url(https://example.com/a.png) }', /outside/],
    ['p { background: url("//example.com/a.png") }', /outside/],
    ['p { background: url(https:example.com) }', /outside/],
    ['p { background: u\\72l(h\\74 tps:\\2f\\2f example.com) }', /outside/],
    ['p { background: url(/\\\\example.com/a.png) }', /outside/],
    ['p { background: image-set("https://example.com/a.png" 1x) }', /outside/],
    ['p { background: url(ht/**/tps://example.com) }', /outside/],
    ['p { content: "/*"; background: url(https://example.com/a.png); content: "*/" }', /outside/],
    ['p { background: url(file:///etc/passwd) }', /outside/],
    ['', /not a style sheet/],
    ['p{}\0', /not a style sheet/],
    [`p{}${' '.repeat(64 * 1024)}`, /65536 are allowed/],
  ])('must not be %s', (css, reason) => expect(faultOf(css)).toMatch(reason))

  it('is UTF-8', () => expect(faultOfStyleSheet(Buffer.from([0x70, 0xe4, 0x7b]))).toMatch(/UTF-8/))

  it('names no address in the clear or by numbers, whatever stands around it', () =>
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.array(fc.boolean(), { minLength: 19 }),
        (before, after, byNumber) => {
          const written = [...'https://example.com'].map((letter, at) =>
            byNumber[at] ? `\\${letter.charCodeAt(0).toString(16)} ` : letter,
          )
          fc.pre(!/data:/i.test(before) && !/\\$/.test(before))
          expect(faultOf(`${before} url(${written.join('')}) ${after}`)).toBeDefined()
        },
      ),
      { numRuns: 200 },
    ))
})

describe('a reference document', () => {
  const withPart = (name: string, content: string) =>
    zip([
      ...[...unzip(docx('text'))].map(([own, bytes]) => ({ name: own, content: bytes })),
      { name, content },
    ])
  const outside = (type: string) =>
    withPart(
      'word/_rels/settings.xml.rels',
      relationships([{ id: 'r1', type, target: 'https://example.com/x', external: true }]),
    )

  it('is a Word document', async () => {
    expect(await faultOfReference(docx('text'))).toBeUndefined()
    expect(await faultOfReference(outside('hyperlink'))).toBeUndefined()
    expect(await faultOfReference(odt('text'))).toMatch(/an ODT file/)
    expect(await faultOfReference(Buffer.from('text'))).toMatch(/DOCX/)
    expect(await faultOfReference(docx('text').subarray(0, 200))).toMatch(/damaged/)
  })

  it('is small', async () => expect(await faultOfReference(Buffer.alloc(1024 * 1024 + 1))).toMatch(/allowed/))

  it('holds no macros and leads nowhere', async () => {
    expect(await faultOfReference(withPart('word/vbaProject.bin', 'x'))).toMatch(/macros/)
    expect(await faultOfReference(withPart('word/embeddings/a.bin', 'x'))).toMatch(/macros/)
    expect(await faultOfReference(outside('attachedTemplate'))).toMatch(/outside/)
    const prologue = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
    expect(await faultOfReference(docxWith('<w:p/>', { prologue }))).toMatch(/save it again/)
    const mainType = 'application/vnd.ms-word.document.macroEnabled.main+xml'
    expect(await faultOfReference(docxWith('<w:p/>', { mainType }))).toMatch(/macros/)
  })
})

it('goes to what has no looks of its own', () => {
  const using = (part: 'reference' | 'css') =>
    pairs.filter((pair) => usesOfStyle(pair)[part]).map(({ slug }) => slug)
  expect(using('reference')).toEqual(expect.arrayContaining(['md-to-docx', 'latex-to-docx', 'html-to-docx']))
  expect(using('css')).toEqual(
    expect.arrayContaining(['md-to-pdf', 'epub-to-pdf', 'docx-to-html', 'md-to-epub']),
  )
  expect([...using('reference'), ...using('css')]).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(html|eml|docx)-to-pdf$|^(rtf|pdf)-to-docx$/)]),
  )
})

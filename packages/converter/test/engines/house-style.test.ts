import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { docxWith, paragraph, png } from '@kiln/test-support/documents.ts'
import { openTestConverter, pairOf, type TestConverter } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { unzip, zip } from '@kiln/test-support/zip.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeAtLevels } from '../describe-at-levels.ts'

// Outputs have the house style, at every level of the sandbox and in pre-warmed processes.

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const reference = docxWith(
  `${paragraph('never shown')}<w:sectPr><w:pgSz w:w="8391" w:h="11906"/></w:sectPr>`,
  {
    entries: [
      {
        name: 'word/styles.xml',
        content: `<w:styles xmlns:w="${word}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:rPr><w:color w:val="7A1F1F"/></w:rPr></w:style></w:styles>`,
      },
      { name: 'word/media/secret.png', content: png },
    ],
  },
)
const css = 'h1::before { content: "Housemark "; font-family: "DejaVu Sans Mono" }'
const style = { reference, css }
const text = '# Title\n\nWords.\n'

const pairs = [pairOf('md', 'docx'), pairOf('md', 'html'), pairOf('md', 'epub')]

describeAtLevels('a house style: %s', (level) => {
  let kiln: TestConverter
  beforeAll(async () => {
    kiln = await openTestConverter({ levels: [level], pairs })
    await kiln.converter.prepare()
  })
  afterAll(() => kiln.close())

  it('a document has the styles and the page of the reference, and not its text', async () => {
    const parts = unzip(await readFile(await kiln.convert(text, 'md', 'docx', { style })))
    expect(kiln.converter.waiting()[0]).toMatchObject({ engine: 'pandoc', taken: 1 })
    expect(parts.get('word/styles.xml')?.toString()).toContain('7A1F1F')
    const document = parts.get('word/document.xml')?.toString() ?? ''
    expect(document).toContain('w:w="8391"')
    expect(document).toMatch(/Heading1.*Title/s)
    expect(document).not.toContain('never shown')
    expect([...parts.keys()]).not.toContain('word/media/secret.png')
  })

  it.each([
    ['a text', text],
    ['an archive', zip([{ name: 'book/index.md', content: text }])],
  ])('a book from %s has the style sheet behind that of every book', async (_what, source) => {
    const parts = unzip(await readFile(await kiln.convert(source, 'md', 'epub', { style })))
    const sheets = [...parts].filter(([name]) => name.endsWith('.css')).map(([, bytes]) => bytes.toString())
    expect(sheets).toHaveLength(2)
    expect(sheets[0]).toContain('text-align: justify')
    expect(sheets[1]).toBe(css)
    expect(parts.get('EPUB/text/ch001.xhtml')?.toString()).toMatch(/stylesheet1\.css.*stylesheet2\.css/s)
  })
})

describe('a house style', () => {
  const kiln = useTestConverter()

  it.each([
    ['md', text],
    ['csv', 'a,b\n1,2\n'],
  ] as const)('a page from %s has the style sheet behind our own', async (from, source) => {
    const page = (await readFile(await kiln.convert(source, from, 'html', { style }))).toString()
    expect(page.indexOf(css)).toBeGreaterThan(page.indexOf('max-width: 44rem'))
    expect(page.indexOf(css)).toBeLessThan(page.lastIndexOf('</style>'))
  })

  it('a printed text shows it; a page that came with its own looks does not', async () => {
    const print = async (from: 'md' | 'html', source: string) => {
      const path = await kiln.convert(source, from, 'pdf', { style })
      const said = await Promise.all([
        promisify(execFile)('pdftotext', [path, '-']),
        promisify(execFile)('pdffonts', [path]),
      ])
      return said.map(({ stdout }) => stdout)
    }
    const [words, fonts] = await print('md', text)
    expect(words).toContain('Housemark Title')
    expect(fonts).toContain('DejaVuSansMono')
    const [own] = await print('html', '<h1>Title</h1>')
    expect(own?.trim()).toBe('Title')
  })
})

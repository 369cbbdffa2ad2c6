import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { png } from '@kiln/test-support/documents.ts'
import { onePage } from '@kiln/test-support/pdf-file.ts'
import { openTestConverter, pairsOf, type TestConverter } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { unzip, type ZipEntry, zip } from '@kiln/test-support/zip.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeAtLevels } from '../describe-at-levels.ts'

// Documents in a ZIP archive with their parts: resolved as on the author's disk, and without access outside the
// archive.

const run = promisify(execFile)

const entries = (files: Readonly<Record<string, string | Buffer>>): ZipEntry[] =>
  Object.entries(files).map(([name, content]) => ({ name, content }))
const archive = (files: Readonly<Record<string, string | Buffer>>) => zip(entries(files))

const paper = {
  'paper/main.tex':
    '\\documentclass{article}\\usepackage{words}\\graphicspath{{figures/}}\\begin{document}\\input{parts/one}' +
    '\\greet{potter}\\includegraphics{kiln}\\includegraphics{plot}\\end{document}',
  'paper/supplement.tex': 'No document of its own.',
  'paper/parts/one.tex': Buffer.from('Gebrannt für ewig. \\input parts/two ', 'latin1'),
  'paper/parts/two.tex': '\\resizebox{2cm}{!}{Glazed twice.}',
  'paper/words.sty': '\\newcommand{\\greet}[1]{Dear #1!}',
  'paper/figures/kiln.png': png,
  'paper/figures/plot.pdf': onePage('10 10 m 300 300 l S'),
  '__MACOSX/paper/main.tex': '\\documentclass{article}',
}

const page = {
  'site/index.html':
    '<!doctype html><title>t</title><link rel="stylesheet" href="css/look.css?v=2&amp;x=1"><p>Shown</p>' +
    '<p class="away">Hidden</p><img src="../pictures/a%20b.png"><script>document.body.textContent = "run"</script>',
  'site/css/look.css': '@import "more.css"; p { color: red }',
  'site/css/more.css': '.away { display: none }',
  'pictures/a b.png': png,
}

describeAtLevels('documents with their parts: %s', (level) => {
  let kiln: TestConverter
  beforeAll(async () => {
    const pairs = [...pairsOf('pandoc'), ...pairsOf('chromium')]
    kiln = await openTestConverter({ levels: [level], pairs, waiting: 0 })
  })
  afterAll(() => kiln.close())

  it('may have any names, except where pandoc has its data files', async () => {
    const parts = {
      'main.md': 'Words',
      'kiln-source': 'x',
      'kiln-folders': 'x',
      '.kiln-source': 'x',
      'data/a': 'x',
    }
    expect(await readFile(await kiln.convert(archive(parts), 'md', 'html'), 'utf8')).toContain('Words')
    const zeros = archive({ 'main.md': 'Words\0 with \0zeros' })
    expect(await readFile(await kiln.convert(zeros, 'md', 'html'), 'utf8')).toContain('Words with zeros')
    for (const name of ['data', 'data/data', 'data/data/a'])
      expect(await kiln.failure(archive({ 'main.md': 'Words', [name]: 'x' }), 'md', 'html')).toMatch(
        /^unsupported: .*Rename one of them/,
      )
  })

  it('are not judged by the words of their preamble, in whatever script they are', async () => {
    const remarks = Array.from(
      { length: 60 },
      (_, index) => `remark${'abcdefghij'.charAt(index % 10)}${'klmnop'.charAt(index / 10)}`,
    )
    const thai = 'ตึกแถวเก่าในย่านเมืองเก่าถูกซ่อมแซมใหม่ทั้งหมดในปีนี้ และเปิดให้ชมทุกวัน'
    const text = `\\documentclass{article}\n% ${remarks.join(' ')}\n\\begin{document}\n${thai}\n\\end{document}\n`
    const made = await kiln.convert(archive({ 'main.tex': text }), 'latex', 'html')
    expect(await readFile(made, 'utf8')).toContain(thai)
  })

  it('a LaTeX project: parts, macros and pictures', async () => {
    const output = await readFile(await kiln.convert(archive(paper), 'latex', 'docx'))
    const parts = unzip(output)
    const text =
      parts
        .get('word/document.xml')
        ?.toString()
        .replaceAll(/<[^>]+>/g, '') ?? ''
    expect(text).toContain('Gebrannt für ewig.')
    expect(text).toContain('Glazed twice.')
    expect(text).toContain('Dear potter!')
    expect([...parts.keys()].filter((name) => name.startsWith('word/media/'))).toHaveLength(2)
  })

  it('a page: styles that import styles, and pictures', async () => {
    const output = await kiln.convert(archive(page), 'html', 'pdf')
    const { stdout } = await run('pdftotext', [output, '-'])
    expect(stdout.trim()).toBe('Shown')
    expect((await run('pdfimages', ['-list', output])).stdout.trim().split('\n').length).toBeGreaterThan(2)
  })
})

describe('archives that are taken and refused', () => {
  const kiln = useTestConverter()

  const index = { name: 'index.md', content: '# Honest' }
  const secret = '![x](/etc/passwd) ![x](../../in/input.md) ![x](../kiln-source) ![x](link.png)'

  it.each<[string, ZipEntry[], RegExp]>([
    ['without a document', entries({ 'a.txt': 'x' }), /^wrong-format: .*no Markdown file/],
    ['that climb', [index, { name: '../../up.md', content: 'x' }], /^corrupt-input: .*leads out of it/],
    ['with a password', [index, { name: 'a.png', content: 'x', encrypted: true }], /^password-protected/],
    [
      'that are bombs',
      [index, { name: 'a.png', content: Buffer.alloc(20 << 20) }],
      /^too-complex: .*100 times/,
    ],
    [
      'of too many files',
      [index, ...Array.from({ length: 5001 }, (_, i) => ({ name: `${i}`, content: '' }))],
      /^too-complex: .*5000 files/,
    ],
    ['that are another document', entries({ mimetype: 'application/epub+zip' }), /^wrong-format: .*EPUB/],
  ])('%s', async (_, files, expected) => {
    expect(await kiln.failure(zip(files), 'md', 'html')).toMatch(expected)
  })

  it('Markdown and RST: pictures, included parts', async () => {
    const book = archive({ 'README.md': '# Book\n\n![a](img/a.png)', 'img/a.png': png, 'other.md': 'x' })
    const html = await readFile(await kiln.convert(book, 'md', 'html'), 'utf8')
    expect(html).toContain(`src="data:image/png;base64,${png.toString('base64').slice(0, 20)}`)
    const manual = archive({
      'index.rst': 'Manual\n======\n\n.. include:: part.txt\n',
      'part.txt': 'A part.',
    })
    expect(await readFile(await kiln.convert(manual, 'rst', 'epub'))).toSatisfy((epub: Buffer) =>
      [...unzip(epub).values()].some((part) => part.includes('A part.')),
    )
  })

  it('links are no files, and no picture comes from outside', async () => {
    const files = [
      { name: 'index.md', content: `# Honest\n\n${secret}` },
      { name: 'link.png', content: '/etc/passwd', mode: 0o120777 },
      { name: 'x', rawName: Buffer.from([0xe4, 0x2e, 0x74, 0x78, 0x74]), content: 'not UTF-8' },
    ]
    const html = await readFile(await kiln.convert(zip(files), 'md', 'html'), 'utf8')
    expect(html).toContain('Honest')
    expect(html).not.toContain('data:')
  })
})

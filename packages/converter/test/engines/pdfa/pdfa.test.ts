import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pdfFile as writePdf } from '@kiln/test-support/pdf-file.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { describe, expect, it } from 'vitest'

// PDF to PDF/A: the pages stay, content that an archive may not contain is removed, and files that cannot conform are
// refused. The program's own check, clause by clause, is tested with files that violate one clause each.

const run = promisify(execFile)
const program = fileURLToPath(new URL('../../../edit-pdf', import.meta.url))
const check = async (path: string, standard: string) =>
  (await run('/usr/bin/python3', ['-B', join(program, 'make_pdfa.py'), '--check', path, standard])).stdout
const textOf = async (path: string) => (await run('pdftotext', [path, '-'])).stdout.trim()
const objectsOf = async (path: string) =>
  (await run('qpdf', ['--qdf', '--object-streams=disable', path, '-'], { encoding: 'latin1' })).stdout

interface Parts {
  content: string
  /** Entries of the catalogue, of the page and of its resources. */
  root?: string
  page?: string
  resources?: string
  font?: string
  /** Object 6, a file or a form. */
  attached?: string
  form?: string
}

const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'

const pdfFile = ({
  content,
  root = '',
  page = '',
  resources = '',
  font = helvetica,
  attached,
  form,
}: Parts): Buffer =>
  writePdf([
    `<< /Type /Catalog /Pages 2 0 R ${root} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 100] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> ${resources} >> ${page} >>`,
    { dictionary: '', stream: content },
    font,
    ...(attached === undefined ? [] : [{ dictionary: '/Type /EmbeddedFile', stream: attached }]),
    ...(form === undefined ? [] : [{ dictionary: '/Subtype /Form /BBox [0 0 9 9]', stream: form }]),
  ])

const words = 'BT /F 12 Tf 20 60 Td (Words to keep.) Tj ET'

const kiln = useTestConverter()

const convert = (file: Buffer, pdfa?: string) =>
  kiln.convert(file, 'pdf', 'pdfa', pdfa === undefined ? {} : { options: { pdfa } })

describe('PDF to PDF/A', () => {
  const convertsTo = async (pdfa: string) => {
    const file = await convert(pdfFile({ content: words }), pdfa)
    expect(await textOf(file)).toBe('Words to keep.')
    expect(await check(file, pdfa)).toBe('')
    const { stdout } = await run('pdffonts', [file])
    expect(stdout.trim().split('\n')).toHaveLength(3)
    expect(stdout).toMatch(/LiberationSans-Regular +TrueType +WinAnsi +yes yes/)
    const meta = (await run('pdfinfo', ['-meta', file])).stdout
    expect(meta).toContain(`<pdfaid:part>${pdfa[0]}<`)
    expect(meta).toContain(`<pdfaid:conformance>${pdfa[1]?.toUpperCase()}<`)
  }
  const title = '%s: text and pages stay, and fonts are embedded'
  it.each(['2u'])(title, convertsTo)
  it.each(['1b', '2b', '3b', '3u'])(title, { tags: 'slow' }, convertsTo)

  it('removes scripts, attached files and hidden notes, and defines CMYK', async () => {
    const root =
      '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (1) >>] >> /EmbeddedFiles << /Names [(a.txt) << /Type /Filespec /F (a.txt) /EF << /F 6 0 R >> >>] >> >>'
    const page =
      '/AA << /O << /S /JavaScript /JS (2) >> >> /Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /Launch /F (calc.exe) >> >> << /Type /Annot /Subtype /Text /F 2 /Rect [0 0 9 9] /Contents (hidden) >>]'
    const file = await convert(pdfFile({ content: `0 1 1 0 k ${words}`, root, page, attached: 'data' }))
    const text = await objectsOf(file)
    expect(text).not.toMatch(/JavaScript|Launch|EmbeddedFile|app\.alert/)
    expect(text).toContain('/DefaultCMYK')
    expect(await check(file, '2u')).toBe('')
  })

  it('reads names of fonts in other encodings than UTF-8', async () => {
    // MS Mincho in Shift JIS.
    const font = helvetica.replace('/Helvetica', '/#82l#82r#96#BE#92#A9')
    const file = await convert(pdfFile({ content: words, font }))
    expect(await textOf(file)).toBe('Words to keep.')
    expect(await check(file, '2u')).toBe('')
  })

  it('reads keys in other encodings than UTF-8', async () => {
    // The states of a button, as forms in other languages than English name them.
    const states = '<< /Oui#e9 6 0 R /Off 6 0 R >>'
    const page = `/Annots [<< /Type /Annot /Subtype /Widget /FT /Btn /AS /Oui#e9 /Rect [0 0 9 9] /AP << /N ${states} /D ${states} >> >>]`
    const file = await convert(pdfFile({ content: words, page, form: '0 0 9 9 re f' }))
    expect(await objectsOf(file)).toMatch(/\/Oui#e9 \d+ 0 R/)
    expect(await check(file, '2u')).toBe('')
  })

  it('keeps attached files in PDF/A-3', async () => {
    const root =
      '/Names << /EmbeddedFiles << /Names [(a.txt) << /Type /Filespec /F (a.txt) /EF << /F 6 0 R >> >>] >> >>'
    const file = await convert(pdfFile({ content: words, root, attached: 'data' }), '3b')
    expect((await run('pdfdetach', ['-list', file])).stdout).toContain('a.txt')
    expect(await check(file, '3b')).toBe('')
  })

  const correctsCount = async (count: string) => {
    const good = pdfFile({ content: words }).toString('latin1')
    expect(good).toContain('/Count 1')
    const file = await convert(Buffer.from(good.replace('/Count 1', `/Count ${count}`), 'latin1'))
    expect(await textOf(file)).toBe('Words to keep.')
    expect((await run('pdfinfo', [file])).stdout).toMatch(/^Pages: +1$/m)
    expect(await check(file, '2u')).toBe('')
  }
  it.each(['-1'])('corrects a declared page count of %s', correctsCount)
  it.each(['0', '7', '999999999', '(one)', 'null'])(
    'corrects a declared page count of %s',
    { tags: 'slow' },
    correctsCount,
  )

  it('adds little to a file', { tags: 'slow' }, async () => {
    const content = Array.from(
      { length: 3000 },
      (_, i) => `${(i * 7919) % 500} ${(i * 104729) % 90} m ${(i * 31) % 500} 5 l S`,
    )
    const source = pdfFile({ content: `${words} ${content.join('\n')}` })
    expect((await stat(await convert(source))).size).toBeLessThan(source.length * 1.1)
  })

  it('text in invisible letters over a scan needs no embedded font', { tags: 'slow' }, async () => {
    const file = await convert(pdfFile({ content: words.replace('Td', 'Td 3 Tr') }))
    expect(await textOf(file)).toBe('Words to keep.')
    expect(await check(file, '2u')).toBe('')
  })

  it('refuses what cannot conform, with the reason', { tags: 'slow' }, async () => {
    const composite =
      '<< /Type /Font /Subtype /Type0 /BaseFont /Unknown /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Unknown /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /Unknown /Flags 4 >> >>] >>'
    expect(await kiln.failure(pdfFile({ content: words, font: composite }), 'pdf', 'pdfa')).toMatch(
      /^unsupported: The PDF does not hold its font Unknown, and no font of the service can take its place/,
    )
    const transparent = pdfFile({
      content: `/G gs ${words}`,
      resources: '/ExtGState << /G << /Type /ExtGState /ca 0.5 >> >>',
    })
    expect(await kiln.failure(transparent, 'pdf', 'pdfa', { options: { pdfa: '1b' } })).toMatch(
      /^unsupported: The PDF cannot become PDF\/A-1b: it is transparent in places/,
    )
    expect(await check(await convert(transparent), '2u')).toBe('')
    expect(await kiln.failure('%PDF-1.4\nno objects', 'pdf', 'pdfa')).toMatch(/^corrupt-input: /)
    const pages = /\/Pages \d+ 0 R/
    const withoutPages = pdfFile({ content: words }).toString('latin1')
    expect(withoutPages).toMatch(pages)
    const lost = withoutPages.replace(pages, '/Pages 999 0 R').replaceAll('/Parent 2 0 R', '')
    expect(await kiln.failure(Buffer.from(lost, 'latin1'), 'pdf', 'pdfa')).toMatch(
      /^corrupt-input: The PDF has no pages/,
    )
  })
})

describe('the check of PDF/A', () => {
  it('finds each clause that is broken', async () => {
    const good = await convert(pdfFile({ content: words }))
    const script = fileURLToPath(new URL('./breaches.py', import.meta.url))
    const { stdout } = await run('/usr/bin/python3', ['-B', script, good, program])
    const { nothing, ...found } = JSON.parse(stdout) as Record<string, string[]>
    expect(nothing).toEqual([])
    for (const [clause, clauses] of Object.entries(found)) expect(clauses, clause).toContain(clause)
    expect(Object.keys(found).length).toBeGreaterThan(30)
  })
})

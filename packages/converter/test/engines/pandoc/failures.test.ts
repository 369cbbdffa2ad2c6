import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PandocOptions } from '../../../src/engines/pandoc/engine.ts'
import { defaultLimits } from '../../../src/engines/pandoc/run-pandoc.ts'
import { docx, epub, odt, zip } from '../../attacks/packages.ts'
import { openPandocConverter, type PandocConverter } from './support.ts'

let kiln: PandocConverter
beforeAll(async () => {
  kiln = await openPandocConverter()
})
afterAll(() => kiln.close())

const tight: PandocOptions = {
  limits: { ...defaultLimits, wallSeconds: 20, cpuSeconds: 2, memoryBytes: 640 * 1024 * 1024 },
}

const yamlBomb = ['a: &a ["x","x","x","x","x","x","x","x","x"]']
for (const [name, before] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg', 'ih']) {
  yamlBomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(',')}]`)
}

describe('failure words', () => {
  it.each([
    ['an epub without its contents', 'epub', zip({ mimetype: 'application/epub+zip' })],
    ['LaTeX that does not close', 'latex', '\\begin{document}\n\\begin{itemize}\n{{{'],
  ] as const)('corrupt-input for %s', async (_name, from, input) => {
    expect(await kiln.failure(input, from, 'html')).toMatch(/^corrupt-input: .*could not be read as/)
  })

  // A file that is not a package of its kind never reaches pandoc.
  it.each([
    ['a docx that is cut off', 'docx', docx('').subarray(0, 300), /^corrupt-input: .*damaged ZIP package/],
    ['an odt that is no package', 'odt', Buffer.from('PK\x03\x04 nothing more'), /^corrupt-input: .*damaged/],
    ['a docx without a document', 'docx', zip({ 'a.txt': 'x' }), /^wrong-format: .*not a DOCX/],
  ] as const)('%s', async (_name, from, input, expected) => {
    expect(await kiln.failure(input, from, 'html')).toMatch(expected)
  })

  it('wrong-format for bytes that are no text', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0, 7, 0, 3, 1, 0, 0, 0, 9, 1, 2, 3, 4])
    expect(await kiln.failure(bytes, 'md', 'html')).toMatch(/^wrong-format: .*binary/)
  })

  it('unsupported for a table from another file', async () => {
    expect(await kiln.failure('.. csv-table:: t\n   :file: other.csv\n', 'rst', 'html')).toMatch(
      /^unsupported: .*another file/,
    )
  })

  it.each([
    ['front matter that multiplies', 'md', `---\n${yamlBomb.join('\n')}\n---\n\ntext\n`],
    [
      'macros that multiply',
      'latex',
      `${[...'bcdefghij'].map((name, index) => `\\newcommand{\\${name}x}{${`\\${'abcdefghij'[index]}x`.repeat(10)}}`).join('\n')}\n\\newcommand{\\ax}{${'word '.repeat(10)}}\n\\jx\n`,
    ],
    ['a macro that calls itself', 'latex', '\\newcommand{\\a}{\\a\\a}\n\\a\n'],
  ] as const)('too-complex or timeout for %s', { tags: 'slow' }, async (_name, from, input) => {
    expect(await kiln.failure(input, from, 'html', tight)).toMatch(/^(too-complex|timeout): /)
  })

  it('too-complex for a book that unpacks to very much', { tags: 'slow' }, async () => {
    const bomb = epub(`<p>${'word '.repeat(60_000_000)}</p>`)
    expect(await kiln.failure(bomb, 'epub', 'html', tight)).toMatch(/^(too-complex|timeout): /)
  })

  it.each([
    ['brackets without end', 'md', '['.repeat(60_000)],
    [
      'lists in lists',
      'md',
      Array.from({ length: 1500 }, (_, depth) => `${' '.repeat(depth * 2)}- x`).join('\n'),
    ],
  ] as const)('timeout for %s', async (_name, from, input) => {
    expect(await kiln.failure(input, from, 'html', tight)).toMatch(/^(timeout|too-complex): /)
  })

  it('unsupported for a document without text', async () => {
    expect(await kiln.failure('\\begin{document}\n\\end{document}\n', 'latex', 'md')).toMatch(
      /^unsupported: The document holds no text/,
    )
  })

  it('unsupported for a document whose words are all in commands of other packages', async () => {
    const patterns = `\\patterns{ ${'eins zwei drei vier fünf sechs sieben acht neun zehn elfer zwölf dreizehn '.repeat(3)}}`
    for (const target of ['html', 'docx', 'epub'] as const)
      expect(await kiln.failure(patterns, 'latex', target)).toMatch(
        /^unsupported: The document holds no text/,
      )
  })

  it('says nothing of the host or of the program', async () => {
    const said = await kiln.failure(docx('').subarray(0, 300), 'docx', 'html')
    expect(said).not.toMatch(/pandoc|\/|exit|\bat\b line/i)
  })

  it('stops when it is cancelled', async () => {
    const signal = AbortSignal.timeout(200)
    await expect(kiln.convert('['.repeat(60_000), 'md', 'html', { signal })).rejects.toThrow(/abort/i)
  })
})

describe('elements that pandoc does not read', () => {
  it('keep their text in ODT', async () => {
    const row = (text: string) =>
      `<table:table-row><table:table-cell>${text}</table:table-cell></table:table-row>`
    const table = `<table:table><table:table-column/><table:table-header-rows>${row('<text:p>Head</text:p>')}</table:table-header-rows>${row('<text:list><text:list-item><text:p>Item</text:p></text:list-item></text:list>')}</table:table>`
    const text = `<text:section text:name="s"><text:h text:outline-level="1">Heading</text:h>${table}</text:section>`
    const shown = (await kiln.convert(odt(text), 'odt', 'md')).toString()
    expect(shown).toMatch(/^Plain text\n\n# Heading\n[\s\S]*Head[\s\S]*Item/)
  })

  it('keep their text in HTML', async () => {
    const page =
      '<ul>One<li>Two</li><p>Three</p></ul><dl>Four<dt>Five</dl><form><textarea>Six</textarea></form><table><tr><td colspan=0>Seven<td>Eight</table>'
    const shown = (await kiln.convert(page, 'html', 'md')).toString()
    expect(shown).toMatch(
      /^- *One\n+- *Two\n+- *Three\n[\s\S]*Four[\s\S]*Five[\s\S]*Six[\s\S]*Seven[\s\S]*Eight/,
    )
  })

  it('keep their text in DOCX', async () => {
    const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
    const ruby = `<w:r><w:ruby><w:rt>${run('ka')}</w:rt><w:rubyBase>${run('KA')}</w:rubyBase></w:ruby></w:r>`
    const body = `<w:p>${run('Figure ')}<w:fldSimple w:instr=" SEQ Figure ">${run('7')}</w:fldSimple></w:p><w:p>${ruby}</w:p>`
    expect((await kiln.convert(docx(body), 'docx', 'md')).toString()).toBe(
      'Plain text\n\nFigure 7\n\nKA(ka)\n',
    )
  })

  it('keep the text beside them in DOCX, and cells outside of the grid of a table', async () => {
    const text = (content: string) => `<w:t>${content}</w:t>`
    const run = (content: string) => `<w:r>${text(content)}</w:r>`
    const field = '<w:fldChar w:fldCharType="begin"/><w:instrText> DATE </w:instrText>'
    const parts = `<w:fldChar w:fldCharType="separate"/>${text('One')}<w:fldChar w:fldCharType="end"/>`
    const alternatives = `<mc:AlternateContent><mc:Choice Requires="x">${run(' Two')}</mc:Choice><mc:Fallback>${run(' no')}</mc:Fallback></mc:AlternateContent>`
    const formula = '<w:ins w:id="1"><m:oMath><m:r><m:t>=3</m:t></m:r></m:oMath></w:ins>'
    const cells = ['Four', 'Five'].map((content) => `<w:tc><w:p>${run(content)}</w:p></w:tc>`).join('')
    const body = `<w:p><w:r>${field}${parts}</w:r>${alternatives}${formula}</w:p><w:tbl><w:tr>${cells}</w:tr></w:tbl>`
    expect((await kiln.convert(docx(body), 'docx', 'md')).toString()).toMatch(
      /^Plain text\n\nOne Two ?\$ ?= ?3\$[\s\S]*Four[\s\S]*Five/,
    )
  })
})

describe('commands that pandoc does not read', () => {
  it('keep their text in LaTeX', async () => {
    const text = [
      '\\documentclass{article}\\begin{document}',
      '\\resizebox{\\textwidth}{!}{\\begin{tabular}{l}One\\end{tabular}}',
      '\\makebox[1cm][c]{Two} \\raisebox{1pt}{Three} \\rotatebox{90}{Four} \\only<2->{Five}\\todo[inline]{Six}',
      '\\cvitem{Seven}{Eight} \\subfloat[Nine]{Ten}',
      '\\begin{figure*}\\includegraphics{a}\\includegraphics{b}\\caption[s]{Eleven}\\end{figure*}',
      '\\end{document}',
    ].join('\n\n')
    const shown = (await kiln.convert(text, 'latex', 'md')).toString()
    expect(shown.match(/One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Eleven/g)).toHaveLength(11)
    expect(shown).not.toMatch(/kiln|2->/)
  })

  it('keep their arguments in RST', async () => {
    const text = '.. py:function:: bake(x)\n\n   Bakes.\n\n.. class:: Kiln(x)\n\n   Burns.\n'
    expect((await kiln.convert(text, 'rst', 'md')).toString()).toMatch(
      /bake\(x\)[\s\S]*Bakes[\s\S]*Kiln\(x\)/,
    )
  })
})

describe('files that only look bad', () => {
  it('takes front matter that is no YAML for text', async () => {
    const page = (
      await kiln.convert('---\ntitle: a: b: [\n---\n\nThe text below.\n', 'md', 'html')
    ).toString()
    expect(page).toContain('The text below.')
  })

  it('reads LaTeX whose parts are not there', async () => {
    const page = (
      await kiln.convert('Before \\input{chapters/one} after, \\cite{a}.', 'latex', 'html')
    ).toString()
    expect(page).toContain('after')
  })

  it('reads LaTeX that names its parts without braces', async () => {
    const text =
      'Before\\input chapters/one\n after. \\verb|\\input two| % \\input three\n\\input "four" Last.'
    const page = (await kiln.convert(text, 'latex', 'html')).toString()
    expect(page).toMatch(/Before\s+after\. <code>\\input two<\/code>\s+Last\./)
  })

  it.each([
    ['UTF-8 with a mark', Buffer.from('\uFEFF# Grüße\n')],
    ['UTF-16 with a mark', Buffer.from('\uFEFF# Grüße\n', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('# Grüße und noch mehr Text\n', 'utf16le')],
    ['UTF-16, the other way round', Buffer.from('\uFEFF# Grüße\n', 'utf16le').swap16()],
    ['Latin-1', Buffer.from('# Grüße\n\nSchöne Grüße aus Köln, sagt der Bär.\n', 'latin1')],
  ])('reads %s', async (_name, input) => {
    expect((await kiln.convert(input, 'md', 'html')).toString()).toContain('>Grüße')
  })

  it('reads HTML in the encoding that it names', async () => {
    const page = Buffer.concat([
      Buffer.from('<html><head><meta charset="shift_jis"></head><body><p>'),
      Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
      Buffer.from('</p></body></html>'),
    ])
    expect((await kiln.convert(page, 'html', 'md')).toString()).toContain('日本')
  })

  it('converts a text of nothing but an empty line', async () => {
    expect((await kiln.convert('\n', 'md', 'html')).toString()).toContain('</html>')
  })
})

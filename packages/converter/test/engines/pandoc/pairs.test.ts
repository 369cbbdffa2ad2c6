import { epub } from '@kiln/test-support/documents.ts'
import { zip } from '@kiln/test-support/zip.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InterchangeFormat, interchangeFormats } from '../../../src/engines/pandoc/formats.ts'
import { contentsOf } from '../../attacks/world.ts'
import { dot, dotUri, openPandocConverter, type PandocConverter } from './support.ts'

// One document with a bit of everything is made in every format by the engine itself, and from there turned
// into every other.

const source = `---
title: The Kiln
author: A. Potter
---

# Glazing

Text with *emphasis*, **weight**, \`code\`, a [link](https://example.org/page) and a note.[^1]

![A dot](${dotUri})

| Clay | Heat |
|------|------|
| red  | 900  |

1. first
2. second

> Quoted words.

\`\`\`
plain listing
\`\`\`

Grüße, 日本語, مرحبا.

[^1]: Footnote words.
`

let kiln: PandocConverter
const made = new Map<InterchangeFormat, Buffer>()

beforeAll(async () => {
  kiln = await openPandocConverter()
  made.set('md', Buffer.from(source))
  for (const to of interchangeFormats) {
    if (to !== 'md') made.set(to, await kiln.convert(source, 'md', to))
  }
})
afterAll(() => kiln.close())

const pairs = interchangeFormats.flatMap((from) =>
  interchangeFormats.filter((to) => to !== from).map((to) => ({ from, to })),
)
const words = ['Glazing', 'emphasis', 'weight', 'red', '900', 'second', 'Quoted', 'listing', 'Footnote words']

const withoutPictures: readonly InterchangeFormat[] = ['latex']

describe('every pair', () => {
  it.each(pairs)('$from to $to keeps words, letters of the world and the link', async ({ from, to }) => {
    const output = await kiln.convert(made.get(from) ?? '', from, to)
    const text = Buffer.from(contentsOf(output), 'latin1').toString('utf8')
    for (const word of words) expect(text).toContain(word.split(' ')[0])
    for (const letters of ['Grüße', '日本語', 'مرحبا']) expect(text).toContain(letters)
    expect(text).toContain('https://example.org/page')
  })

  it.each(pairs.filter(({ from, to }) => ![from, to].some((format) => withoutPictures.includes(format))))(
    '$from to $to keeps the picture, byte for byte',
    async ({ from, to }) => {
      const output = await kiln.convert(made.get(from) ?? '', from, to)
      expect(contentsOf(output)).toContain(dot.toString('latin1'))
    },
  )

  it('keeps the description where a picture cannot be held', async () => {
    const output = (await kiln.convert(source, 'md', 'latex')).toString()
    expect(output).toContain('A dot')
    expect(output).not.toContain('includegraphics{data')
  })

  it.each(['docx', 'epub', 'odt', 'html', 'md'] as const)(
    '%s becomes plain text, one line for a paragraph',
    async (from) => {
      const text = (await kiln.convert(made.get(from) ?? '', from, 'txt')).toString()
      expect(text).toMatch(/\nText with emphasis, weight, code, a link and a note\.(\[1\]|¹)?\n/)
      expect(text).toMatch(/\n *red +900\n/)
      expect(text).toMatch(/1\. +first\n2\. +second\n/)
      expect(text).toContain('Grüße, 日本語, مرحبا.')
      expect(text).toContain('A dot')
      expect(text).not.toContain('data:')
      // A book names the second in which it was made.
      expect(text).not.toMatch(/\dT\d\d:\d\d/)
    },
  )

  it.each(['html', 'docx', 'txt', 'rst'] as const)(
    'Markdown to %s keeps paths and patterns that look like TeX',
    async (to) => {
      const text = contentsOf(await kiln.convert('Open C:\\Users\\Anna Lee or \\d+.\n', 'md', to))
      expect(text.replaceAll('\\\\', '\\')).toMatch(/C:\\Users\\Anna Lee or \\d\+/)
    },
  )

  it('names the program', async () => {
    expect((await kiln.converter.describe()).engines[0]?.detail).toMatch(/^pandoc \d/)
  })
})

describe('Markdown has what other converters to Markdown are tested for', () => {
  it.each(['docx', 'epub', 'html'] as const)('headings, emphasis, lists, tables: %s', async (from) => {
    const text = String(await kiln.convert(made.get(from) ?? '', from, 'md'))
    for (const line of [
      /^# Glazing$/m,
      /\*emphasis\*, \*\*weight\*\*/,
      /^1\. +first$/m,
      /^> Quoted words\.$/m,
    ])
      expect(text).toMatch(line)
    expect(text).toMatch(/^\|? *Clay +\|? *Heat/m)
  })

  it('the author of a book', async () => {
    expect(String(await kiln.convert(made.get('epub') ?? '', 'epub', 'md'))).toMatch(
      /^---\n[\s\S]*author: A\. Potter\n[\s\S]*title: The Kiln\n[\s\S]*^---$/m,
    )
  })

  it('chapters and pictures outside of the folder of the package document', async () => {
    const opf =
      '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">' +
      '<dc:title>Book</dc:title></metadata><manifest><item id="c" href="../text/c.xhtml" media-type="application/xhtml+xml"/>' +
      '<item id="i" href="../images/i.png" media-type="image/png"/></manifest><spine><itemref idref="c"/></spine></package>'
    const book = zip([
      { name: 'mimetype', content: 'application/epub+zip', stored: true },
      {
        name: 'META-INF/container.xml',
        content:
          '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>' +
          '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
      },
      { name: 'OEBPS/book.opf', content: opf },
      {
        name: 'text/c.xhtml',
        content:
          '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>Chapter</p><img src="../images/i.png" alt="x"/></body></html>',
      },
      { name: 'images/i.png', content: dot },
    ])
    expect(String(await kiln.convert(book, 'epub', 'html'))).toMatch(
      /<p>Chapter<\/p>[\s\S]*<img[^<>]* src="data:image\/png;base64,/,
    )
  })

  it('titles of links, and nothing of scripts and style sheets', async () => {
    const link = '<a href="/wiki/Bill_Gates" title="Bill Gates">Bill Gates</a>'
    const page = `<title>T</title><p>Founded by ${link}, <strong>an American</strong>.</p><script>run</script><style>p</style>`
    expect(String(await kiln.convert(page, 'html', 'md')).trim()).toMatch(
      /Founded by \[Bill Gates\]\(\/wiki\/Bill_Gates "Bill Gates"\), \*\*an American\*\*\.$/,
    )
  })
})

describe('a table with merged cells in Markdown', () => {
  const table = (cell: string) =>
    `<table><tr><th>Clay</th><th>Heat</th></tr><tr>${cell}<td>900</td></tr><tr><td>1000</td></tr></table>`

  it('is HTML', async () => {
    const page = table('<td rowspan="2">red<pre>first\n\nsecond</pre></td>')
    const text = String(await kiln.convert(page, 'html', 'md'))
    expect(text).toContain('<td rowspan="2">red')
    // A blank line would end it.
    expect(text.trim()).not.toContain('\n\n')
    const back = String(await kiln.convert(text, 'md', 'html'))
    expect(back).toMatch(/<td rowspan="2">[\s\S]*<td>\s*1000\s*<\/td>/)
  })

  it('one without has pipes', async () => {
    const text = String(await kiln.convert(table('<td>red</td>'), 'html', 'md'))
    expect(text).toMatch(/\| Clay\s*\| Heat/)
  })
})

it('labels of items and captions of code in LaTeX are shown', async () => {
  const text = String.raw`\begin{itemize}\item[(a)] one\item[(b)] two\end{itemize}
\begin{enumerate}\item[Why] because\end{enumerate}
\begin{lstlisting}[caption={The \emph{only} line}]
line
\end{lstlisting}`
  const page = String(await kiln.convert(text, 'latex', 'html'))
  expect(page).toMatch(/<ol[^>]* type="a"/)
  expect(page).toContain('<dt>Why</dt>')
  expect(page).toContain('<em>The <em>only</em> line</em>')
})

describe('a book', () => {
  it('keeps references and notes that are not in one chapter, and the marks of tasks', async () => {
    const book = epub(
      '<p>Text<a epub:type="noteref" href="notes.xhtml#n">7</a></p><aside epub:type="rearnote" id="m"><p>A note.</p>' +
        '</aside><ul><li><input type="checkbox" checked=""/> Done</li></ul><p><ruby>漢<rt>kan</rt></ruby></p>',
    )
    const text = String(await kiln.convert(book, 'epub', 'txt'))
    expect(text.match(/\S.*/g)).toEqual(['A small book', 'Text7', 'A note.', '-   ☒ Done', '漢(kan)'])
  })
})

describe('a paper in LaTeX', () => {
  it('shows its citations and the list that they refer to', async () => {
    const paper =
      '\\documentclass{article}\\begin{document}As \\cite{two} and \\citep[see][p. 3]{one,other} say.' +
      '\\begin{thebibliography}{9}\\bibitem{one} First.\\bibitem{two} Second.\\end{thebibliography}\\end{document}'
    const page = String(await kiln.convert(paper, 'latex', 'html'))
    expect(page).toMatch(/As \[2\] and \[see 1, other, p\. 3\] say\./)
    expect(page).toMatch(/References<\/h1>\s*<ol[^>]*>\s*<li><p>First\.<\/p><\/li>\s*<li><p>Second\./)
  })

  it('shows numbers of equations and captions where it refers to them, and algorithms', async () => {
    const paper = String.raw`\documentclass{article}\usepackage{cleveref,algpseudocode}\begin{document}
      \section{A}
      \begin{equation}\label{e}a=b\end{equation}
      By \eqref{e} and \cref{t}.
      \begin{table}\caption{T}\label{t}\begin{tabular}{l}x\end{tabular}\end{table}
      \begin{algorithm}\begin{algorithmic}\If{$c$}\State first\Else\State second\EndIf\end{algorithmic}\end{algorithm}
      \end{document}`
    const page = String(await kiln.convert(paper, 'latex', 'html'))
    expect(page).toContain('<h1 id="a">A</h1>')
    expect(page).toMatch(/<span id="e"[^>]*><\/span><math.*<mtext[^>]*>\(1\)<\/mtext>/)
    expect(page).toMatch(/By \(<a href="#e">1<\/a>\) and table\s<a href="#t">1<\/a>\./)
    expect(page).toContain('<caption>Table 1: T</caption>')
    expect(page).toMatch(/<strong>if<\/strong>.*<strong>then<\/strong><\/p>\s*<blockquote>\s*<p>first<\/p>/)
    expect(page).toMatch(/<strong>else<\/strong><\/p>\s*<blockquote>\s*<p>second<\/p>\s*<\/blockquote>/)
    expect(String(await kiln.convert(paper, 'latex', 'md'))).toMatch(/^\$\$a=b\\tag\{1\}\$\$$/m)
  })
})

describe('languages of code blocks', () => {
  const listing = (language: string) =>
    kiln.convert(`\`\`\`${language}\nls -l "$a" & # <b>\n\`\`\`\n`, 'md', 'html')

  it('are highlighted by their short names', async () => {
    expect(String(await listing('sh'))).toMatch(/class="sourceCode bash sh"><code class="sourceCode bash">/)
    expect(String(await listing('PY'))).toContain('<code class="sourceCode python">')
  })

  it('are shown as they are when they have no highlighting', async () => {
    const page = String(await listing('mermaid'))
    expect(page).toContain('<pre class="mermaid"><code>ls -l &quot;$a&quot; &amp; # &lt;b&gt;</code></pre>')
  })

  it('may be followed by instructions to other programs', async () => {
    expect(String(await listing('sh title="list.sh" {1,3}'))).toContain('<code class="sourceCode bash">')
  })

  it('load only their own definition, not those of all languages', async () => {
    const book = String(await kiln.convert('```text\nwords\n```\n', 'md', 'latex'))
    expect(book).toMatch(/\\begin\{verbatim\}\nwords/)
  })
})

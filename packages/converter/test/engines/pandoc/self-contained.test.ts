import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPandoc, toSelfContainedHtml } from '../../../src/engines/pandoc/run-pandoc.ts'
import { contentsOf } from '../../attacks/world.ts'
import { dotUri, openPandocConverter, type PandocConverter } from './support.ts'

let kiln: PandocConverter
beforeAll(async () => {
  kiln = await openPandocConverter()
})
afterAll(() => kiln.close())

const html = async (markdown: string) => (await kiln.convert(markdown, 'md', 'html')).toString()
const body = (page: string) => page.slice(page.indexOf('<body'))

describe('a page', () => {
  it('loads nothing and runs nothing', async () => {
    const page = await html(
      [
        `# T\n\n![kept](${dotUri}) ![web](https://example.org/a.png) ![beside](img/a.png)`,
        '<script>alert(1)</script><iframe src="https://example.org/"></iframe><object data="x"></object>',
        '<link rel="stylesheet" href="https://example.org/a.css"><style>@import "https://example.org/b.css"</style>',
        '<p onclick="alert(2)" style="background:url(https://example.org/c.png)">paragraph</p>',
        '[click](javascript:alert(3)) <a href="java&#115;cript:alert(4)">again</a> <a href=" JavaScript:alert(5)">more</a>',
        '[span]{onclick="alert(6)" style="background: url(//example.org/d)"}',
        '<svg onload="alert(7)"><image href="https://example.org/e.png"/></svg> <img src=x onerror=alert(8)>',
        '<scr<script>ipt>alert(9)</script> <<script>alert(10)</script>',
        '$x^2$',
      ].join('\n\n'),
    )
    expect(body(page)).not.toMatch(/alert\((?:1|2|3|4|5|6|7|8)\)/)
    expect(page).not.toMatch(/<(script|iframe|object|embed|link|base)\b/i)
    expect(body(page)).not.toMatch(/\son\w+=/i)
    expect(page).not.toMatch(/javascript:/i)
    expect(page.match(/\ssrc="(?!data:)/g)).toBeNull()
    expect(page).not.toMatch(/url\(|@import/i)
    expect(page).toContain('<math')
  })

  it('turns pictures that it does not hold into links to them', async () => {
    const page = await html('![the web](https://example.org/a.png) ![](img/logo.png) ![local](/etc/logo.png)')
    expect(page).toContain('<a href="https://example.org/a.png">the web</a>')
    expect(page).toContain('<a href="img/logo.png">logo.png</a>')
    expect(page).toContain('local')
    expect(page).not.toContain('/etc/logo.png')
  })

  it('does not link tracking pixels', async () => {
    const pixel = '<p>one <img src="https://example.org/a.gif" width="1" height="1px"> two</p>'
    expect(String(await kiln.convert(pixel, 'html', 'md'))).toBe('one two\n')
  })

  it('keeps harmless tags of Markdown', async () => {
    const page = await html(
      '<details open><summary>More</summary>\n\nhidden *text*\n\n</details>\n\nA<br>B <kbd>Ctrl</kbd> 1 < 2',
    )
    expect(page).toMatch(/<details open(="")?>/)
    expect(page).toContain('<em>text</em>')
    expect(page).toMatch(/A<br \/?>\s*B/)
    expect(page).toContain('<kbd>Ctrl</kbd>')
    expect(page).toContain('1 &lt; 2')
  })

  it("names GitHub's alerts", async () => {
    const page = await html(
      '> [!WARNING]\n> Mind *the* gap.\n>\n> And this.\n\n> [!NOTE] in a line\n\n> [!OTHER]\n> mark',
    )
    expect(page).toMatch(
      /<p><strong>Warning<\/strong><\/p>\s*<p>Mind <em>the<\/em> gap\.<\/p>\s*<p>And this\.<\/p>/,
    )
    expect(page).toContain('<p>[!NOTE] in a line</p>')
    expect(page).toMatch(/<p>\[!OTHER\]\s+mark<\/p>/)
  })

  it('has a title, a style and no more than one', async () => {
    const page = await html('# First heading\n\ntext')
    expect(page).toContain('<title>First heading</title>')
    expect(page).toContain('max-width: 44rem')
    expect(page).not.toContain('max-width: 36em')
  })
})

describe('for the next engine', () => {
  it('makes one page with a given style and contents', async () => {
    const styleSheet = fileURLToPath(new URL('../../../src/engines/document.css', import.meta.url))
    const made = await kiln.convert('# One\n\n## Two\n\ntext', 'md', 'html', {
      instead: (run) => {
        const pandoc = createPandoc(run.sandbox)
        return toSelfContainedHtml(run, {
          styleSheet,
          outputName: 'page.html',
          options: ['--toc'],
          pandoc,
        })
      },
    })
    const page = made.toString()
    expect(page).toContain('<nav id="TOC"')
    expect(page).toContain('max-width: 44rem')
  })
})

describe('other targets', () => {
  it('gives Markdown its pictures as data and leaves boxes out', async () => {
    const markdown = (
      await kiln.convert(
        `<div class="x"><p><span id="a">words</span><img src="${dotUri}" alt="dot"></p></div>`,
        'html',
        'md',
      )
    ).toString()
    expect(markdown).toContain(`![dot](${dotUri})`)
    expect(markdown).not.toContain('<div')
    expect(markdown).not.toContain('<span')
  })

  it('turns an <img> of Markdown into a picture of the document', async () => {
    const document = contentsOf(
      await kiln.convert(`<p align="center"><img src="${dotUri}" width="40"></p>`, 'md', 'docx'),
    )
    expect(document).toContain('<pic:pic')
  })

  it('gives a book its own name each time, and a title', async () => {
    const [one, two] = await Promise.all([
      kiln.convert('# Chapter\n\ntext', 'md', 'epub'),
      kiln.convert('# Chapter\n\ntext', 'md', 'epub'),
    ])
    const identifier = (book: Buffer) => /urn:uuid:[0-9a-f-]{36}/.exec(contentsOf(book))?.[0]
    expect(identifier(one)).toBeDefined()
    expect(identifier(one)).not.toBe(identifier(two))
    expect(contentsOf(one)).toMatch(/<dc:title[^>]*>Chapter</)
  })
})

describe('the date of a package', () => {
  it.each(['docx', 'odt', 'epub'] as const)('is today in %s, and the package stays whole', async (to) => {
    const made = await kiln.convert('# T\n\nwords', 'md', to)
    const text = contentsOf(made)
    expect(text).not.toContain('1970-01-01')
    expect(text).toContain(new Date().toISOString().slice(0, 10))
    expect((await kiln.convert(made, to, 'md')).toString()).toContain('words')
  })

  it('is what the document says, where it says one', async () => {
    const book = contentsOf(await kiln.convert('---\ntitle: T\ndate: 2001-02-03\n---\n\nwords', 'md', 'epub'))
    expect(book).toMatch(/<dc:date[^>]*>2001-02-03</)
  })
})
